/** The agreement of the euro screen: a static file, made at build time from the text and the owner's facts. */
import type { APIRoute } from 'astro'
import { fillInText } from '#content/legal/versions.ts'
import { BRAND } from '#lib/domain/brand.ts'
import agreement from '../content/legal/agreement.json'

export const prerender = true

export const GET: APIRoute = () =>
  Response.json(
    agreement.map(({ title, paragraphs }) => ({ title, paragraphs: paragraphs.map((text) => fillInText(text, BRAND.name)) }))
  )
