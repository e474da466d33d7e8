/** The frame of every page: its description, the banner of the sandbox, what closes a dialog. */
export const frameTexts = {
  description: (brand: string) => `${brand}: hold, buy and stake tokens, with every figure explained.`,
  close: 'Close',
  sandbox: 'Sandbox',
  sandboxAbout: 'This is a sandbox: no real money, no real mail.',
  sandboxLink: 'Mailbox and bank'
} as const
