/** The language of this folder, for the page's `lang` and for what `Intl` writes. */
export const language = 'en'
