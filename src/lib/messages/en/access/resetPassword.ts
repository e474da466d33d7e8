/** The dialogs that set a new password. Source: spec sections 2 and 4. */
export const resetPasswordTexts = {
  title: 'Reset Password',
  email: 'Email/Phone number',
  password: 'Password',
  passwordHint: 'At least 8 characters.',
  sending: 'Sending…',
  continue: 'Continue',
  codeTitle: 'Forgot Password',
  codeSentTo: 'We sent a code to',
  ifAccount: 'if it has an account. Your new password takes effect once you enter the code.',
  code: 'Verification code',
  checking: 'Checking…',
  confirm: 'Confirm',
  sendAgain: 'Send the code again'
} as const
