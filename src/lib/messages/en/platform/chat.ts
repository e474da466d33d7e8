/** The button of the chat, which its script names anew. */
export const chatTexts = {
  open: 'Chat with us',
  tryAgain: 'Chat: try again'
} as const
