/** The preview of a package: its figures, the bank transfer, the agreement. Source: spec sections 2, 4 and 5. */
export const previewTexts = {
  fiatAmount: 'Fiat amount',
  rateAt: 'at',
  ratePerDollar: 'per $1',
  fee: 'Transaction fee (4%)',
  total: 'Total to pay',
  tokenPrice: 'Token price',
  priceFixed: 'Fixed when your payment was received.',
  priceOfList: 'From the price list of this release.',
  priceNow: (source: string) => `Current price from ${source}.`,
  tokenAmount: 'Token amount',
  atThisMoment: 'At the current price.',
  euroRate: (source: string, at: string) =>
    `Euro rate: ${source}, ${at}. The token price is computed from the time when your payment is received.`,

  noOrder: (error: string) => `We could not create your order: ${error}`,
  tryAgain: 'Try again',
  youPayEuro: 'You Pay EURO',
  stepsLabel: 'Steps of the purchase',
  steps: { review: 'Review', accept: 'Accept', pay: 'Pay', waiting: 'Waiting' },
  reviewAbout: (name: string) => `For ${name}, by bank transfer in euro. Nothing is due until you accept the terms.`,
  toAccept: 'Continue',
  toPayment: 'Continue to payment',
  backToReview: 'Back to Review',
  cancelled: 'The order was cancelled.',
  cancelledTitle: 'You cancelled this order',
  cancelledAbout: (day: string) => `A transfer already on its way still counts if it arrives by ${day}.`,
  watching: (euro: string) => `We are waiting for ${euro}`,
  bankNext: (day: string, email: string) =>
    `Next: your bank, by ${day}. Sepa Instant takes up to 2 hours, regular Sepa up to 3 business days. There is nothing for you to do. We will email ${email} when it arrives.`,

  agreement: 'Your agreement',
  acceptAll: 'Please read and accept all three before you pay.',
  terms: { crypto: 'Crypto Asset Terms', custody: 'Custody Terms', staking: 'Staking Program Terms' },
  accept: (terms: string) => `I accept the ${terms}`,
  read: 'Read',
  readTerms: (terms: string) => `Read the ${terms}`,
  confirmedTitle: 'Payment Confirmed!',
  confirmedAbout:
    'Your tokens arrive once your payment is processed. The token price is computed from the time when the payment is received.',
  toDashboard: 'Go to Dashboard',
  viewOrder: 'View Order',
  arrived: 'The transfer has arrived.',
  completedTitle: 'Your order is completed',
  completedAbout: 'The payment arrived and the tokens are yours.'
} as const
