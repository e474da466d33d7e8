/** The API of the desk: session cookie, origin, right, input, passkey, then the handler. Another application than the customers' `/v1`. */
import { randomUUID } from 'node:crypto'
import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { getCookie } from 'hono/cookie'
import { type DeskCallName, type DeskRules, deskCalls, rulesOf } from '#lib/contract/desk/calls.ts'
import { type DeskErrorCode, type DeskFailure, deskErrors, deskSentence } from '#lib/contract/desk/errors.ts'
import type { DeskShape } from '#lib/contract/desk/parts.ts'
import { type DeskAnswer, deskShapes } from '#lib/contract/desk/shapes.ts'
import { type DeskHandlers, type DeskSettings, deskHandlers } from '../desk/index.ts'
import { clientAddress, limitKeyOf } from '../platform/api/clientAddress.ts'
import { isStorable } from '../platform/api/input.ts'
import type { ApiEnv } from '../platform/api/types.ts'
import type { Context } from '../platform/context.ts'
import { isGivenUp, isOutcomeUnknown, isUnreachable } from '../platform/db/faults.ts'
import { AppError, UnavailableError } from '../platform/errors.ts'
import { countAgainst } from '../platform/limits.ts'
import { note } from '../platform/web/notes.ts'
import { type FailedPage, pageFailed } from '../platform/web/pageFailed.ts'
import type { Site } from '../platform/webauthn.ts'
import { actHashOf, DeskError, type Evidence, findStaff, type Opened, requireRight, type Staff, takeAct } from '../staff/index.ts'

type Options = DeskSettings & { production: boolean; proxyHops: number }
type Http = HonoContext<ApiEnv>
type Values = { params?: Record<string, string> | undefined; query?: Record<string, string> | undefined; body?: unknown }

/** What the desk's pages use. */
export type DeskApplication = {
  api: Hono<ApiEnv>
  cookie: string
  findStaff: (token: string | undefined) => Promise<Staff | undefined>
  /** True if a change comes from a page of the desk itself: browsers send the origin with every POST. */
  isOwn: (request: Request) => boolean
  /** Writes down why a page failed. */
  pageFailed: (error: unknown, where: FailedPage) => void
  /** A read in process. Throws a DeskError. */
  ask: <K extends DeskCallName>(staff: Staff, name: K, values?: Values) => Promise<DeskAnswer<K>>
}

const BODY_BYTES = 256 * 1024
const NAMES = Object.keys(deskCalls) as DeskCallName[]
/** Anybody may knock at the door: a challenge is a row. */
const DOOR = { max: 60, windowSeconds: 600 }
const EACH = { max: 600, windowSeconds: 60 }

/** The cookie of the desk. `__Host-` binds it to this host and to HTTPS; the sandbox has no HTTPS. */
const deskCookieName = (production: boolean) => (production ? '__Host-desk' : 'desk')

/** The desk's own origin for a browser that asked for this host. The front server has checked the host. */
const originFor = ({ production, deskOrigin }: Options, host: string | null | undefined): string =>
  production ? deskOrigin() : `http://${host ?? ''}`

/** Where this request's browser is. */
function siteOf(http: Http, options: Options): Site {
  const origin = originFor(options, http.req.header('host'))
  return { origin, rpId: URL.canParse(origin) ? new URL(origin).hostname : '' }
}

export function createDesk(context: Context, options: Options): DeskApplication {
  const handlers = deskHandlers(context, options)
  const api = new Hono<ApiEnv>({ strict: false }).basePath('/v1')
  const cookie = deskCookieName(options.production)
  /** A body without a length would be read to its end, as far as its limit, before anybody looks at who sends it. */
  const lengthFirst: MiddlewareHandler = async (http, next) => {
    if (http.req.header('transfer-encoding') === undefined) return next()
    return http.json(failureOf('length_required'), 411)
  }
  const limitTo = (maxSize: number) => bodyLimit({ maxSize, onError: (http) => http.json(failureOf('body_too_large'), 413) })
  // Fixed paths first, so that no parameter takes their place.
  for (const name of NAMES.toSorted((one, other) => paramsIn(one) - paramsIn(other)))
    api.on(
      deskCalls[name].method,
      deskCalls[name].path.replace(/\{(\w+)\}/g, ':$1'),
      lengthFirst,
      limitTo(rulesOf(name).bodyBytes ?? BODY_BYTES),
      (http) => serve(context, { http: http as Http, name, options, handlers, cookie })
    )
  const paths = NAMES.map((name) => new RegExp(`^/v1${deskCalls[name].path.replace(/\{\w+\}/g, '[^/]+')}/?$`))
  api.notFound((http) => {
    const failure = failureOf(paths.some((path) => path.test(http.req.path)) ? 'method_not_allowed' : 'not_found')
    return http.json(failure, failure.statusCode as 404)
  })
  api.onError((error, http) => {
    const failure = failureOfError(context, error, http.req)
    note(http.env?.outgoing, { code: failure.code })
    return http.json(failure, failure.statusCode as 500)
  })
  return {
    api,
    cookie,
    pageFailed: (error, where) => pageFailed(context.log, error, where),
    isOwn: ({ headers }) => headers.get('origin') === originFor(options, headers.get('host')),
    findStaff: async (token) => (token ? findStaff(context, token) : undefined),
    ask: async (staff, name, values = {}) => {
      requireRight(staff, rulesOf(name).right)
      const input = check(deskShapes[name], values)
      const answered = await run(handlers, name, { ...input, staff, site: { origin: '', rpId: '' } })
      return answered.data as never
    }
  }
}

const paramsIn = (name: DeskCallName) => deskCalls[name].path.split('{').length

type Served = { http: Http; name: DeskCallName; options: Options; handlers: DeskHandlers; cookie: string }

async function serve(context: Context, { http, name, options, handlers, cookie }: Served): Promise<Response> {
  const rules = rulesOf(name)
  note(http.env?.outgoing, { route: `/v1${rules.path}` })
  const site = siteOf(http, options)
  // Browsers send it with every POST; the cookie is `SameSite=Strict` besides.
  if (rules.method === 'POST' && http.req.header('origin') !== site.origin) throw new DeskError('foreign_origin')
  const staff = await callerOf(context, http, { rules, cookie, name, proxyHops: options.proxyHops })
  if (staff) {
    note(http.env?.outgoing, { who: staff.id })
    requireRight(staff, rules.right)
  }
  const { passkey, ...body } = rules.method === 'POST' ? await readBody(http) : { passkey: undefined }
  const input = check(deskShapes[name], { params: http.req.param() as Record<string, string>, query: http.req.query(), body })
  const evidence =
    staff && rules.passkey === 'act' ? await readPasskey(context, staff, { name, http, body, passkey, site, options }) : undefined
  const { data, session, isOver } = await run(handlers, name, { ...input, site, staff, evidence })
  http.header('Cache-Control', 'no-store')
  if (session) setCookie(http, cookie, session, options.production)
  if (isOver)
    http.header('Set-Cookie', `${cookie}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict${options.production ? '; Secure' : ''}`)
  return http.json({ data })
}

function setCookie(http: Http, name: string, { token, expiresAt }: Opened, production: boolean): void {
  const secure = production ? '; Secure' : ''
  http.header('Set-Cookie', `${name}=${token}; Path=/; Expires=${expiresAt.toUTCString()}; HttpOnly; SameSite=Strict${secure}`)
}

type Asked = { rules: DeskRules; cookie: string; name: DeskCallName; proxyHops: number }

async function callerOf(context: Context, http: Http, { rules, cookie, name, proxyHops }: Asked): Promise<Staff | undefined> {
  if (rules.who === 'anyone') {
    const address = limitKeyOf(clientAddress(http, proxyHops) ?? '')
    note(http.env?.outgoing, { from: address })
    await countAgainst(context, [{ key: `desk:${name}:address:${address}`, ...DOOR }])
    return undefined
  }
  const staff = await findStaff(context, getCookie(http, cookie) ?? '')
  if (!staff) throw new DeskError('signed_out')
  await countAgainst(context, [{ key: `desk:staff:${staff.id}`, ...EACH, isForgettable: true }])
  return staff
}

type PasskeyAsked = { name: DeskCallName; http: Http; body: object; passkey: unknown; site: Site; options: Options }

async function readPasskey(
  context: Context,
  staff: Staff,
  { name, http, body, passkey, site, options }: PasskeyAsked
): Promise<Evidence> {
  if (typeof passkey !== 'object' || passkey === null) throw new DeskError('passkey_needed')
  const actHash = actHashOf(name, http.req.param(), body)
  // One's own keys can be changed with a new key, too: otherwise a first one could never be followed by a second.
  const restHours = name === 'addKey' || name === 'removeKey' ? 0 : options.keyRestHours
  return takeAct(context, staff, site, { actHash, response: passkey, restHours })
}

async function readBody(http: Http): Promise<Record<string, unknown>> {
  const text = await http.req.text()
  if (text === '') return {}
  if (!/^application\/json\s*(;|$)/i.test(http.req.header('content-type') ?? '')) throw new DeskError('invalid_request')
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && !Array.isArray(body) && isStorable(body))
      return body as Record<string, unknown>
  } catch {
    // Answered below.
  }
  throw new DeskError('invalid_request')
}

/** The values as the call's shape lets them through. Throws `invalid_fields` with a sentence a field. */
function check(shape: DeskShape, { params, query, body }: Values) {
  if (!isStorable([params, query])) throw new DeskError('invalid_request')
  const fields: Record<string, string> = {}
  const read = (part: DeskShape['body'], value: unknown) => {
    if (!part) return undefined
    const result = part.safeParse(value ?? {})
    if (result.success) return result.data
    for (const { path, message } of result.error.issues) fields[path.join('.') || 'request'] ??= message
    return undefined
  }
  const input = { params: read(shape.params, params), query: read(shape.query, query), body: read(shape.body, body) }
  if (Object.keys(fields).length > 0) throw new DeskError('invalid_fields', { fields })
  return input
}

async function run(
  handlers: DeskHandlers,
  name: DeskCallName,
  call: object
): Promise<{ data: unknown; session?: Opened; isOver?: true }> {
  // The only place where a call's name loses its static type: `handlers` has an entry for every name.
  const answered = await (handlers[name] as (call: never) => Promise<object>)(call as never)
  const wrapped = answered as { data?: unknown; session?: Opened; isOver?: true }
  const isWrapped = wrapped.session !== undefined || wrapped.isOver !== undefined
  const data = isWrapped ? wrapped.data : answered
  return { ...(isWrapped && wrapped), data: deskShapes[name].answer.parse(data) }
}

function failureOf(code: DeskErrorCode, details: Partial<DeskFailure> = {}): DeskFailure {
  return { statusCode: deskErrors[code][0], code, message: deskSentence(code, details.params), ...details }
}

const KNOWN: Partial<Record<string, DeskErrorCode>> = { too_many_requests: 'too_many_requests', not_found: 'not_found' }

function failureOfError(
  { log }: Pick<Context, 'log'>,
  error: unknown,
  { path, method }: { path: string; method: string }
): DeskFailure {
  if (error instanceof DeskError) {
    const { code, params, fields } = error
    return failureOf(code, { ...(Object.keys(params).length > 0 && { params }), ...(fields && { fields }) })
  }
  if (error instanceof AppError)
    return failureOf(KNOWN[error.code] ?? 'act_refused', {
      params: { why: `The reason is “${error.code.replaceAll('_', ' ')}”.` }
    })
  if (isOutcomeUnknown(error) && method !== 'GET') {
    log.warn({ path, err: error }, 'the outcome of a call is not known')
    return failureOf('outcome_unknown')
  }
  if (isUnreachable(error) || isGivenUp(error) || error instanceof UnavailableError) {
    log.warn({ path, err: error }, 'not available')
    return failureOf('unavailable')
  }
  const requestId = randomUUID()
  log.error({ requestId, path, err: error }, 'a call of the desk failed')
  return failureOf('internal', { requestId })
}
