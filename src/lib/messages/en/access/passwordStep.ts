/** The sign-in with the password. Source: spec sections 2 and 4. */
export const passwordStepTexts = {
  title: 'Sign in with password',
  email: 'Email',
  password: 'Password',
  signingIn: 'Signing in…',
  logIn: 'Log in',
  forgot: 'Forgot your password?'
} as const
