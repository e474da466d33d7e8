/** Provides the file of the embedded database that every test starts from: the one of `npm test`, or a new one. */
import type { TestProject } from 'vitest/node'
import { makeEmbeddedCopy } from './engines.ts'

declare module 'vitest' {
  interface ProvidedContext {
    embeddedCopy: string
  }
}

export default async function setup(project: TestProject) {
  const shared = process.env.TEST_EMBEDDED_COPY
  if (shared) return project.provide('embeddedCopy', shared)
  const { file, remove } = await makeEmbeddedCopy()
  project.provide('embeddedCopy', file)
  return remove
}
