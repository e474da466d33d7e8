/** The files that the server reads by itself: steps and definitions of the database, fonts, texts. */
import { fileURLToPath } from 'node:url'

/** The project, or the copy of these files that the build makes beside its bundle (`RUNTIME_FILES` in `src/build/server.mjs`). */
const folder = new URL(import.meta.url.endsWith('.ts') ? '../../../../' : '../files/', import.meta.url)

/** `path`: from the project's folder, e.g. `migrations`. */
export const fileUrl = (path: string): URL => new URL(path, folder)
export const filePath = (path: string): string => fileURLToPath(fileUrl(path))
