/** The texts of buying packages. Source: spec sections 2 and 5. */
export const buyTexts = {
  promoTitle: 'Promo code',
  promoAbout: 'A promo code unlocks the bonus packages.',
  promoLabel: 'Promo code',
  promoAdd: 'Add',
  promoAccepted: 'Your promo code is valid.'
} as const
