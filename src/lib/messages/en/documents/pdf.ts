/** Words of every document. */
export const pdfTexts = { page: (page: number) => `Page ${page}` } as const
