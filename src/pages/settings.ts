/** Saves the settings of a form, without JavaScript, and returns to the page that sent it. */
import type { APIRoute } from 'astro'
import { backPath } from '#layouts/platform/back.ts'
import { askAsCustomer, orCode } from '#layouts/platform/page.ts'
import { DISPLAY_CURRENCIES, knownTimeZone, MUTABLE_GROUPS, THEMES } from '#lib/domain/access/settings.ts'

const YEAR_SECONDS = 31_536_000

export const POST: APIRoute = async (context) => {
  const { cookies, request, redirect } = context
  const form = await request.formData().catch(() => new FormData())
  const text = (name: string) => String(form.get(name) ?? '')
  const keep = (name: string, value: string) => cookies.set(name, value, { path: '/', sameSite: 'lax', maxAge: YEAR_SECONDS })

  if (form.has('theme')) keep('theme', THEMES.find((theme) => theme === text('theme')) ?? 'system')
  if (form.has('balances')) {
    if (text('balances') === 'hide') keep('private', '1')
    else cookies.delete('private', { path: '/' })
  }
  const zone = text('timeZone')
  const currency = DISPLAY_CURRENCIES.find((one) => one === text('currency'))
  const wanted = form.getAll('mails')
  const settings = {
    ...(currency && { displayCurrency: currency }),
    ...(form.has('timeZone') && (zone === '' || knownTimeZone(zone)) && { timeZone: zone || null }),
    // Unticked boxes are not sent, so a hidden field says that the form has the boxes.
    ...(form.has('hasMails') && { mutedMails: MUTABLE_GROUPS.filter((group) => !wanted.includes(group)) })
  }
  const outcome =
    Object.keys(settings).length > 0 ? await orCode(askAsCustomer(context)('updateSettings', { body: settings })) : undefined
  return redirect(outcome?.code ? '/profile?settings=failed#settings' : backPath(text('back')), 303)
}

/** GET changes nothing. */
export const GET: APIRoute = ({ redirect }) => redirect('/profile#settings', 302)
