/** What the screens say besides field and call errors. Source: spec sections 2, 4 and 8. */
import { formatDuration } from '../format/duration.ts'

export const texts = {
  otpSent: 'OTP has been sent to your email.',
  otpVerified: 'OTP Verified. Welcome!',
  otpRequestFailed: 'Failed to request OTP. Please try again.',
  otpInvalid: 'OTP invalid or expired.',
  loginFailed: 'Login failed. Please check your credentials and try again.',
  accountCreated: 'Account created successfully, please verify your email',
  verificationSuccessful: 'Verification successful',
  somethingWrong: 'Something went wrong',
  codeResent: 'A new code has been sent to your email.',
  signUpFirst: 'Please sign up first: we do not know which email to verify.',
  checkEmail: 'Please check your email to get the verification code',
  canSignIn: 'You can sign in now',
  signedOut: 'You are signed out.',
  copied: 'Copy successfully',
  copyFailed: 'Copying did not work. Please select the text and copy it yourself.',
  unreachable: 'We could not reach the server. Check your connection and try again.',
  sessionEnded: 'Your session has ended. Please sign in again.',
  welcome: 'Welcome to the app'
} as const

/** `Please wait 1 minute 5 seconds before requesting another OTP.` */
export function waitForOtp(seconds: number): string {
  return `Please wait ${formatDuration(seconds)} before requesting another OTP.`
}

export function waitForCode(seconds: number): string {
  return `Please wait ${formatDuration(seconds)} before requesting another code.`
}

/** `Failed to load order: …` */
export function loadFailed(what: string, message: string): string {
  return `Failed to load ${what}: ${message}`
}
