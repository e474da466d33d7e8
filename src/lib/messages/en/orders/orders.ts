/** The texts of buying packages. Source: spec sections 2 and 5. */
export const buyTexts = {
  promoTitle: 'Promo code',
  promoAbout: 'A promo code unlocks the bonus packages.',
  promoLabel: 'Promo code',
  promoEntered: 'Your code is entered: the bonus packages are open to you.',
  promoPackages: 'See the bonus packages',
  promoAdd: 'Add',
  promoAccepted: 'Your promo code is valid.'
} as const
