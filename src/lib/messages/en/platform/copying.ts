/** The notices after copying. Source: spec section 8. */
export const copyTexts = {
  copied: 'Copy successfully',
  failed: 'Could not copy. Please select the text and copy it yourself.'
} as const
