/** Accepts the versions of our terms that a form showed, without JavaScript, and returns to the page that sent it. */
import type { APIRoute } from 'astro'
import { backPath } from '#layouts/platform/back.ts'
import { askAsCustomer, orCode } from '#layouts/platform/page.ts'
import { ACCOUNT_TERMS } from '#lib/domain/legal/terms.ts'

export const POST: APIRoute = async (context) => {
  const form = await context.request.formData().catch(() => new FormData())
  const versions = Object.fromEntries(
    ACCOUNT_TERMS.flatMap((name) => {
      const version = form.get(name)
      return typeof version === 'string' ? [[name, version]] : []
    })
  )
  // If a version has changed since, the next page shows the new one.
  await orCode(askAsCustomer(context)('acceptTerms', { body: { versions } }))
  return context.redirect(backPath(String(form.get('back') ?? '')), 303)
}

/** GET changes nothing. */
export const GET: APIRoute = ({ redirect }) => redirect('/dashboard', 302)
