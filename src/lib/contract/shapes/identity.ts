import { z } from '@hono/zod-openapi'
import { KYC_LINK_SECONDS, REVIEW_STATUSES } from '#lib/domain/identity/check.ts'
import { moment } from './common.ts'

export const kycData = z.object({
  id: z.string(),
  review: z.object({ reviewStatus: z.enum(REVIEW_STATUSES) }),
  info: z
    .object({
      firstName: z.string().optional(),
      lastName: z.string().optional(),
      dob: z.string().optional(),
      country: z.string().optional(),
      /** The name of `country` in English. */
      countryName: z.string().optional(),
      idDocs: z
        .array(z.object({ idDocType: z.string(), number: z.string().optional(), validUntil: z.string().optional() }))
        .optional()
    })
    .optional()
})

export const identityShapes = {
  getKycData: { summary: 'Where the identity check stands', answer: kycData.nullable() },
  getKycLink: {
    summary: 'A link to the identity check',
    body: z.strictObject({ ttlInSecs: z.number().int().min(60).max(KYC_LINK_SECONDS).default(KYC_LINK_SECONDS) }),
    answer: z.object({ url: z.string(), expiresAt: moment })
  },
  receiveIdentityEvent: {
    summary: 'An event of the identity provider, signed by it',
    body: z.looseObject({}),
    answer: z.object({ outcome: z.string() })
  }
}
