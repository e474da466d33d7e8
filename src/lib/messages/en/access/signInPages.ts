/** The pages around the sign-in and sign-up forms. Source: spec section 2. */
export const signInPagesTexts = {
  logIn: 'Log in',
  signUp: 'Sign up',
  haveAccount: 'Already have an account?',
  newHere: 'New here?',
  finishByCode: 'Or finish a sign-up with a code by email.',
  createAccount: 'Create an account',
  back: 'Back',
  backToSignIn: 'Back to sign in',
  backToSignUp: 'Back to sign up',
  verifyEmail: 'Verify email',
  needsScripts: 'Signing in needs JavaScript. Please allow it for this site.',
  signedIn: 'Signed in',
  withOtp: 'Sign in with OTP',
  signedInAlready: 'You are already signed in: there is nothing to enter here.',
  toDashboard: 'Go to Dashboard'
} as const
