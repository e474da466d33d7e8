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
  qrAbout: 'Scan it with your banking app on another device: it fills in the amount, IBAN and Order ID.',
  exactly: (day: string) => `Transfer exactly this amount, with the Order ID as the reference. It must arrive by ${day}.`,
  beAccurate:
    'Please ensure that the information is accurate: a payment with another amount or without the Order ID is kept for you, but not credited until this is resolved.',

  accepted: (terms: string, at: string) => `You accepted the ${terms} on ${at}.`,
  madeIt: 'Made the transfer?',
  cancel: 'Cancel order',
  cancelTitle: 'Cancel this order?',
  cancelAbout: 'No payment has arrived for it. If a transfer is already on its way, it still counts, and the order is restored.',
  keepOrder: 'Keep it',
  processing: 'Processing...',
  confirm: 'Payment Confirmed',
  confirmAbout: 'Tell us once you have paid. Your tokens are credited when the money arrives.',
  pressAgain: 'You can press the button again. It counts only once.'
} as const
