/** The texts around the legal documents: versions, changes, placeholders to be filled in. */
export const legalTexts = {
  version: (version: string, day: string) => `Version ${version}, in force since ${day}.`,
  earlierAbout: (version: string) => `This is version ${version}, which is no longer in force.`,
  current: 'Read the current version',
  versions: 'Versions',
  versionOf: (version: string, day: string) => `Version ${version}, ${day}`,
  print: 'To keep this text, print it or save it as a PDF.',
  toFillIn: (name: string) => `[${name}: to be filled in]`,
  changedTitle: 'Our terms have changed',
  changed: (title: string, version: string, day: string) => `${title}, version ${version}, in force since ${day}`,
  accept: 'Accept',
  acceptAbout: 'Nothing changes until you decide: you can still use and withdraw what is yours.',
  accepted: 'Thank you. Your acceptance is saved.',
  changedMeanwhile: 'These terms have changed in the meantime. Please read the new version.'
} as const
