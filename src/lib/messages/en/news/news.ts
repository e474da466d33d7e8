/** News: the list, an entry, the preview of a draft. Source: spec sections 2 and 8. */
export const newsTexts = {
  title: 'News',
  about: 'What’s new in your wallet.',
  list: 'Entries',
  notFound: 'News not found',
  notFoundAbout: 'The entry was removed, or its address is mistyped.',
  failed: 'Unable to load news. Please try again later.',
  tryAgain: 'Try again',
  none: 'No news yet',
  noneAbout: 'When we publish something, it will appear here.',
  more: 'Older news',
  newer: 'Newer news',
  loading: 'Loading older news',
  end: 'That is all.',
  page: (page: number) => `Page ${page}`,
  back: 'All news',
  close: 'Close',
  entry: 'Entry',
  preview: 'Draft',
  previewAbout: (until: string) => `This is an unpublished draft. This link shows it until ${until} UTC.`,
  previewMissing: 'This draft has no:',
  previewFields: {
    title: 'title: it is not shown until it has one',
    short_description: 'short description: the first words of the text stand in for it',
    main_content: 'text: only the short description is shown',
    thumbnail_banner: 'banner: the card has no picture'
  },
  previewPictures: 'A picture that was never published appears here after a few seconds: reload this page.',
  previewOver: 'This link has expired',
  previewOverAbout: 'Ask for a new one.'
} as const
