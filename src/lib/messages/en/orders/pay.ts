/** The payment step; loaded with that step. Source: spec sections 2 and 4. */
export const payTexts = {
  transferTitle: 'Bank transfer details',
  orderId: 'Order ID',
  accountHolder: 'Account holder',
  iban: 'EURO IBAN',
  bic: 'BIC/SWIFT',
  bankName: 'Bank name',
  bankAddress: 'Bank address',
  copyAll: 'Copy all',
  allDetails: 'all bank transfer details',
  qr: 'SEPA QR for your banking app',
  qrAlt: (euro: string) => `SEPA QR code for a transfer of ${euro}`,
  qrAbout: 'Scan it with your banking app on another device: amount, IBAN and Order ID are filled in.',
  exactly: (day: string) => `By bank transfer, to arrive by ${day}. Exactly this amount, with the Order ID as the reference.`,
  beAccurate:
    'Please ensure that the information is accurate: a payment with another amount or without the Order ID is kept for you and credits nothing until it is clarified.',

  accepted: (terms: string, at: string) => `You accepted the ${terms} on ${at}.`,
  madeIt: 'Made the transfer?',
  cancel: 'Cancel order',
  cancelTitle: 'Cancel this order?',
  cancelAbout: 'Nothing was paid for it. If a transfer for it is already on its way, it still counts, and the order comes back.',
  keepOrder: 'Keep it',
  processing: 'Processing...',
  confirm: 'Payment Confirmed',
  confirmAbout: 'Tell us, and we look out for it. Your tokens come when it arrives.',
  pressAgain: 'You can press the button again: it counts once.'
} as const
