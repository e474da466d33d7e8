/** The texts of sign-up and sign-in. Source: spec sections 2, 4 and 8. */
import { formatDuration } from '#lib/format/duration.ts'

export const signInTexts = {
  otpSent: 'OTP has been sent to your email.',
  otpVerified: 'OTP Verified. Welcome!',
  otpRequestFailed: 'Failed to request OTP. Please try again.',
  otpInvalid: 'OTP invalid or expired.',
  loginFailed: 'Login failed. Please check your credentials and try again.',
  accountCreated: 'Account created successfully, please verify your email',
  verificationSuccessful: 'Verification successful',
  codeResent: 'A new code has been sent to your email.',
  signUpFirst: 'Please sign up first: we do not know which email to verify.',
  signUpElsewhere:
    'Did you sign up in another tab or on another device? Enter your email: we send you a new code, and you finish here.',
  noPasskeys: 'This browser does not support passkeys. Please choose another way.',
  passkeyFailed: 'This passkey could not be used. Please sign in another way.'
} as const

/** `Please wait 1 minute 5 seconds before requesting another OTP.` */
export function waitForOtp(seconds: number): string {
  return `Please wait ${formatDuration(seconds)} before requesting another OTP.`
}

export function waitForCode(seconds: number): string {
  return `Please wait ${formatDuration(seconds)} before requesting another code.`
}
