/** Answers that staff begin with. `…` is what they fill in. */
export const supportTemplates: { name: string; text: string }[] = [
  {
    name: 'Payment under way',
    text: 'Thank you for your message.\n\nWe have not received the transfer yet. A SEPA transfer takes one to two bank days. As soon as it arrives, your order is completed by itself and you get a mail.'
  },
  {
    name: 'Payment does not fit',
    text: 'Thank you for your message.\n\nYour transfer has arrived, but …. We decide within two days what happens to it, and mail you. Please do not send it again.'
  },
  {
    name: 'Withdrawal under way',
    text: 'Thank you for your message.\n\nYour withdrawal is …. We promise it within 24 hours. Its state and transaction are on the page Withdraw history.'
  },
  {
    name: 'Identity check',
    text: 'Thank you for your message.\n\nThe check of your identity is …. You see its state in your profile. We never ask for documents by mail.'
  },
  {
    name: 'More facts needed',
    text: 'Thank you for your message.\n\nTo help you, we need to know: …. You can answer on the page Write to support. Please never send us a password or a code.'
  }
]
