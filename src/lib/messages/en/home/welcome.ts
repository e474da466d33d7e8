/** The texts of the public welcome page. */
export const welcomeTexts = {
  title: 'Welcome',
  heading: 'Your tokens, with every figure explained.',
  about: (brand: string) =>
    `${brand} holds CPC, PTC, USDC, BTC and ETH for you. Buy token packages by bank transfer, stake them, and see every line that adds up to a balance.`,
  signUp: 'Create an account',
  signIn: 'Log in',
  points: [
    {
      title: 'Nothing is booked twice',
      text: 'Every movement is a line in a double-entry ledger that is checked again and again.'
    },
    {
      title: 'No password needed',
      text: 'Sign in with an email code or a passkey. An authenticator app adds a second factor.'
    },
    {
      title: 'Fees before you pay',
      text: 'Each purchase shows its fee, its rate and where the rate comes from before you transfer.'
    }
  ]
} as const
