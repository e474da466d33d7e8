/** The notices after copying. Source: spec section 8. */
export const copyTexts = {
  copied: 'Copy successfully',
  failed: 'Copying did not work. Please select the text and copy it yourself.'
} as const
