/** The chat button; its script changes the label if the chat cannot be loaded. */
export const chatTexts = {
  open: 'Chat with us',
  tryAgain: 'Chat: try again'
} as const
