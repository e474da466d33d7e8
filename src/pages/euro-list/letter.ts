import type { APIRoute } from 'astro'
import { euroLetterTexts } from '#messages/euro/euro.ts'

/** The reference letter of the sample account, as a download. */
export const GET: APIRoute = async ({ locals }) =>
  new Response((await locals.app.sampleLetter()) as BodyInit, {
    headers: { 'Content-Type': 'application/pdf', 'Content-Disposition': `attachment; filename="${euroLetterTexts.file}"` }
  })
