/**
 * The identity check by Sumsub: requests are signed, webhooks verified. Source: its API reference (authentication,
 * external WebSDK link, applicant data) and its guide to webhooks.
 */
import { createHash, createHmac } from 'node:crypto'
import { z } from 'zod'
import { maskDocumentNumber, type ReviewStatus } from '#lib/domain/identity/check.ts'
import { sameText } from '../../platform/crypto.ts'
import { UnavailableError } from '../../platform/errors.ts'
import { type IdentityEvent, type IdentityProvider, SignatureError } from '../port.ts'
import type { IdentityInfo } from '../schema.ts'
import type { SumsubConfig } from '../settings.ts'

const TIMEOUT_MS = 2500
const DIGESTS = new Map([
  ['HMAC_SHA256_HEX', 'sha256'],
  ['HMAC_SHA512_HEX', 'sha512']
])

/** Events after which the check has to be made again. */
const REOPENED = new Set(['applicantReset', 'applicantLevelChanged', 'applicantDeactivated', 'applicantDeleted'])
/** Events that carry the status of a check; the others (tags, actions, personal data) are ignored. */
const STATUS_EVENTS = new Set([
  ...REOPENED,
  'applicantCreated',
  'applicantPending',
  'applicantPrechecked',
  'applicantAwaitingService',
  'applicantOnHold',
  'applicantReviewed',
  'applicantWorkflowCompleted'
])

const webhook = z.object({
  type: z.string(),
  applicantId: z.string().min(1).max(100),
  externalUserId: z.string().max(100).default(''),
  levelName: z.string().optional(),
  reviewStatus: z.string().optional(),
  reviewResult: z.object({ reviewAnswer: z.string().optional(), reviewRejectType: z.string().optional() }).nullish(),
  createdAtMs: z.string().regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{3}$/)
})
type Webhook = z.infer<typeof webhook>

const text = z.string().max(200)
const applicant = z.object({
  info: z
    .object({
      firstName: text.optional(),
      lastName: text.optional(),
      dob: text.optional(),
      country: text.optional(),
      idDocs: z.array(z.object({ idDocType: text, number: text.optional(), validUntil: text.optional() })).optional()
    })
    .optional()
})

/** A review's answer counts only if the review is completed: an old refusal may remain while the check is open again. */
function statusOf({ type, levelName, reviewStatus, reviewResult }: Webhook, level: string): ReviewStatus {
  if (REOPENED.has(type) || reviewStatus === 'init') return 'init'
  if (reviewStatus === 'onHold') return 'onHold'
  if (reviewStatus !== 'completed') return 'pending'
  // A pass on another, weaker level does not count.
  if (reviewResult?.reviewAnswer === 'GREEN') return levelName === level ? 'completed' : 'pending'
  return reviewResult?.reviewRejectType === 'RETRY' ? 'retry' : 'rejected'
}

function minimal({ info }: z.infer<typeof applicant>): IdentityInfo {
  const { firstName, lastName, dob, country, idDocs } = info ?? {}
  return {
    ...(firstName && { firstName }),
    ...(lastName && { lastName }),
    ...(dob && { dob }),
    ...(country && { country }),
    ...(idDocs && {
      idDocs: idDocs.map(({ idDocType, number, validUntil }) => ({
        idDocType,
        ...(number && { number: maskDocumentNumber(number) }),
        ...(validUntil && { validUntil })
      }))
    })
  }
}

export function sumsubIdentity(config: SumsubConfig, clock: () => Date): IdentityProvider {
  const { url, appToken, secretKey, webhookSecret, level } = config

  async function request(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    const payload = body ? JSON.stringify(body) : ''
    const timestamp = Math.floor(clock().getTime() / 1000).toString()
    const signature = createHmac('sha256', secretKey).update(`${timestamp}${method}${path}${payload}`).digest('hex')
    try {
      const response = await fetch(new URL(path, url), {
        redirect: 'error',
        method,
        headers: {
          'X-App-Token': appToken,
          'X-App-Access-Ts': timestamp,
          'X-App-Access-Sig': signature,
          ...(body && { 'Content-Type': 'application/json' })
        },
        ...(body && { body: payload }),
        signal: AbortSignal.timeout(TIMEOUT_MS)
      })
      // The response may contain personal data; report only its status code.
      if (!response.ok) throw new Error(`it answered ${response.status}`)
      return await response.json()
    } catch (error) {
      const why = error instanceof Error ? error.message : 'no answer'
      throw new UnavailableError(`The identity provider cannot be had: ${why}`)
    }
  }

  return {
    createLink: async ({ userId, email }, ttlSeconds) => {
      const answer = await request('POST', '/resources/sdkIntegrations/levels/-/websdkLink', {
        levelName: level,
        userId,
        ttlInSecs: ttlSeconds,
        applicantIdentifiers: { email }
      })
      const { success, data } = z.object({ url: z.url({ protocol: /^https?$/ }) }).safeParse(answer)
      if (!success) throw new UnavailableError('The identity provider gave no link')
      return data.url
    },
    readInfo: async (customerId) => {
      const path = `/resources/applicants/-;externalUserId=${encodeURIComponent(customerId)}/one`
      const { success, data } = applicant.safeParse(await request('GET', path))
      if (!success) throw new UnavailableError('The identity provider gave no readable applicant')
      return minimal(data)
    },
    reset: async (applicantId) => {
      await request('POST', `/resources/applicants/${encodeURIComponent(applicantId)}/reset`)
    },
    readEvent: ({ body, header }) => {
      const algorithm = DIGESTS.get(header('x-payload-digest-alg') ?? '')
      const signed = algorithm && createHmac(algorithm, webhookSecret).update(body).digest('hex')
      if (!signed || !sameText(signed, (header('x-payload-digest') ?? '').toLowerCase())) throw new SignatureError()
      const { success, data } = webhook.safeParse(JSON.parse(body))
      return success && STATUS_EVENTS.has(data.type) ? eventOf(data, body, level) : undefined
    }
  }
}

function eventOf(data: Webhook, body: string, level: string): IdentityEvent {
  return {
    digest: createHash('sha256').update(body).digest('base64url'),
    customerId: data.externalUserId,
    applicantId: data.applicantId,
    type: data.type,
    status: statusOf(data, level),
    occurredAt: new Date(`${data.createdAtMs.replace(' ', 'T')}Z`)
  }
}
