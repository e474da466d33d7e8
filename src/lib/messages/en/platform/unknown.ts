/** What customers read while nobody knows whether a call was carried out. Loaded with the first such call. */

export const unknownTexts = {
  askingAgain: 'We have not heard yet whether this went through. We are asking again; it counts only once.',
  stillUnknown: 'We still do not know whether this went through. Press the button again: it counts only once.'
} as const
