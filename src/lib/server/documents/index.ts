/** Statements, reports for taxes and receipts: what `app` may use. */
export { documentHandlers } from './handlers.ts'
export { DOCUMENT_JOBS, documentJobs, endQuarter, RECEIPT_JOB } from './jobs.ts'
export { type DocumentFile, missingDocuments, readDocumentFile } from './read.ts'
export { sampleLetters } from './sampleLetter.ts'
export { documentChecks } from './verify.ts'

/** A document of another feature; what writes it is loaded with the first one. */
export async function createPdf(...about: Parameters<typeof import('./pdf.ts')['createPdf']>) {
  return (await import('./pdf.ts')).createPdf(...about)
}
