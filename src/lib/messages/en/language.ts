/** The language of this folder, for the page's `lang` and for `Intl`. */
export const language = 'en'
