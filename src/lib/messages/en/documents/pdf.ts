/** The texts that every document shares. */
export const pdfTexts = { page: (page: number) => `Page ${page}` } as const
