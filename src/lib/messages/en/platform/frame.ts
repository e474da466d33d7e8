/** Shared by every page: its description, the sandbox banner, the close button of dialogs. */
export const frameTexts = {
  description: (brand: string) => `${brand}: hold, buy and stake tokens, with every figure explained.`,
  close: 'Close',
  sandbox: 'Sandbox',
  sandboxAbout: 'This is a sandbox: no real money, no real emails.',
  sandboxLink: 'Mailbox and bank'
} as const
