/** The pages of a list. */
export const pagerTexts = {
  pages: 'Pages',
  range: (first: number, last: number, total: number) => `${first}-${last} of ${total} items`,
  perPage: 'Per page',
  previous: 'Previous',
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  next: 'Next',
  goTo: 'Go to',
  go: 'Go'
} as const
