/**
 * Every decision of the desk is a form that names its call: `data-call`, `data-params`. Sending it asks for the passkey, makes the call, says
 * what became of it, and keeps what was typed if it was refused.
 */
import { type DeskCallName, isDeskCall } from '../../lib/contract/desk/calls.ts'
import { addKey, call, join, Refused, showInvitation, signIn } from './call.ts'
import { putBack, showAnew } from './typed.ts'

const SAID = 'said'

/** Read once by the page that follows. */
function say(text: string): void {
  sessionStorage.setItem(SAID, text)
}

function showSaid(): void {
  const text = sessionStorage.getItem(SAID)
  const place = document.querySelector<HTMLElement>('.said')
  if (!text || !place) return
  sessionStorage.removeItem(SAID)
  place.textContent = text
  place.hidden = false
  setTimeout(() => {
    place.hidden = true
  }, 8000)
}

async function bodyOf(form: HTMLFormElement): Promise<Record<string, unknown>> {
  const data = new FormData(form)
  const lists = (form.dataset.lists ?? '').split(' ').filter(Boolean)
  const body: Record<string, unknown> = {}
  for (const name of new Set([...data.keys(), ...lists])) body[name] = lists.includes(name) ? data.getAll(name) : data.get(name)
  // A sum is typed in dollars and sent in cents.
  for (const name of (form.dataset.cents ?? '').split(' ').filter(Boolean)) body[name] = centsOf(String(body[name] ?? ''))
  // A file is sent as its name and its text.
  for (const [name, value] of Object.entries(body))
    if (value instanceof File)
      Object.assign(body, { name: value.name, [name]: form.dataset.binary === name ? await base64Of(value) : await value.text() })
  return body
}

/** A file that is no text. */
async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return btoa(Array.from(bytes, (one) => String.fromCharCode(one)).join(''))
}

function centsOf(text: string): string {
  const found = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text.trim().replaceAll(',', ''))
  return found ? `${found[1]}${(found[2] ?? '').padEnd(2, '0')}`.replace(/^0+(?=\d)/, '') : text
}

function showFailure(form: HTMLFormElement, { message, fields }: Refused['failure']): void {
  for (const old of form.querySelectorAll('.wrong')) old.remove()
  for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid')
  const note = form.querySelector<HTMLElement>('[role=alert]')
  if (note) {
    note.textContent = message
    note.hidden = false
  }
  for (const [name, sentence] of Object.entries(fields ?? {})) {
    const field = form.querySelector<HTMLElement>(`[name="${CSS.escape(name.split('.')[0] ?? '')}"]`)
    if (!field) continue
    field.setAttribute('aria-invalid', 'true')
    const wrong = Object.assign(document.createElement('span'), { className: 'wrong', textContent: sentence })
    ;(field.closest('.field, fieldset') ?? field).append(wrong)
  }
  form.querySelector<HTMLElement>('[aria-invalid]')?.focus()
}

async function run(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const name = submitter?.dataset.call ?? form.dataset.call ?? ''
  const params = JSON.parse(form.dataset.params ?? '{}')
  if (name === 'sign-in') {
    await signIn()
    location.assign('/')
  } else if (name === 'join') {
    await join(location.hash.slice(1), String(new FormData(form).get('keyName') ?? ''))
    location.assign('/')
  } else if (name === 'add-key') {
    await addKey(String(new FormData(form).get('keyName') ?? ''))
    say('Added. Your page says from when it approves.')
    location.reload()
  } else if (isDeskCall(name)) await act(name, { form, params })
}

async function act(
  name: DeskCallName,
  { form, params }: { form: HTMLFormElement; params: Record<string, string> }
): Promise<void> {
  const answer = (await call(name, { params, body: await bodyOf(form) })) as Answer
  if (answer.until) return reveal(form, answer)
  if (answer.content !== undefined) return keepFile(answer)
  if (name === 'signOut') {
    // Nothing of a person stays for the next one.
    sessionStorage.clear()
    location.assign('/sign-in')
  } else if (answer.proposalId) {
    say('Proposed. Another person must approve it.')
    location.assign(`/approvals/${answer.proposalId}`)
  } else {
    say(answer.message ?? 'Done.')
    location.reload()
  }
}

/** What a call answers: what became of it, a proposal, personal data until a time, or a file. */
type Answer = { message?: string; proposalId?: string; until?: string; name?: string; content?: string } & Record<string, string>

/** Shows personal data in the place of the form, until its time is over. */
function reveal(form: HTMLFormElement, { until = '', ...personal }: Answer): void {
  const shown = document.createElement('p')
  shown.className = 'pad'
  shown.append(Object.values(personal).filter(Boolean).join(', ') || 'Nothing is known')
  form.replaceWith(shown)
  setTimeout(() => location.reload(), new Date(until).getTime() - Date.now())
}

/** Hands the file to the browser's downloads. */
function keepFile({ name = '', content = '', type = '', encoding }: Answer): void {
  const bytes = encoding === 'base64' ? Uint8Array.from(atob(content), (one) => one.charCodeAt(0)) : content
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([bytes], { type }))
  link.download = name
  link.click()
  say(`${name} is in your downloads.`)
  setTimeout(() => location.reload(), 500)
}

function onSubmit(event: SubmitEvent): void {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || !form.classList.contains('act')) return
  event.preventDefault()
  const buttons = form.querySelectorAll('button')
  for (const button of buttons) button.disabled = true
  const note = form.querySelector<HTMLElement>('[role=alert]')
  if (note) note.hidden = true
  run(form, event.submitter)
    .catch((error: unknown) => {
      const failure =
        error instanceof Refused ? error.failure : { code: 'internal' as const, message: 'Something went wrong in this browser.' }
      if (failure.code === 'signed_out') location.assign('/sign-in')
      if (failure.code === 'case_went_on') showAnew(form, failure)
      else showFailure(form, failure)
    })
    .finally(() => {
      for (const button of buttons) button.disabled = false
    })
}

/** The page of an invitation says whom it is for, before anything is made. */
async function showInvited(place: HTMLElement): Promise<void> {
  const form = place.querySelector<HTMLFormElement>('form')
  try {
    const { name, email, roles } = await showInvitation(location.hash.slice(1))
    for (const [slot, text] of Object.entries({ name, email, roles: roles.join(', ') })) {
      const field = place.querySelector(`[data-slot="${slot}"]`)
      if (field) field.textContent = text
    }
    if (form) form.hidden = false
  } catch (error) {
    const note = place.querySelector<HTMLElement>('[data-invalid]')
    if (note) {
      note.textContent = error instanceof Refused ? error.failure.message : ''
      note.hidden = false
    }
  }
}

export function startActs(): void {
  showSaid()
  const typed = putBack()
  if (typed) showFailure(typed.form, typed.failure)
  document.addEventListener('submit', onSubmit)
  const invited = document.querySelector<HTMLElement>('[data-invited]')
  if (invited) void showInvited(invited)
}
