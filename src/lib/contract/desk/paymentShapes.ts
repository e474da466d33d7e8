/** Shapes of the desk's calls about payments, refunds and the bank's files. Amounts in cents of the payment's currency. */
import { z } from '@hono/zod-openapi'
import { CANDIDATE_REASONS } from '#lib/domain/payments/candidates.ts'
import { PAYMENT_OUTCOMES } from '#lib/domain/payments/match.ts'
import { RECALL_ANSWERS, RECALL_REASONS } from '#lib/domain/payments/recall.ts'
import { day, done, fileAnswer, moment, proposed, reference, rowNumber, type SomeShapes, units, why } from './parts.ts'

const byPayment = { params: z.strictObject({ id: rowNumber }) }
const byFile = { params: z.strictObject({ id: rowNumber }) }
/** `also`: other payments that pay the order together with it, which two persons decide. */
const assignment = z.strictObject({ orderId: reference, also: z.array(rowNumber).max(4).default([]), why })

const payment = z.object({
  id: z.string(),
  direction: z.enum(['credit', 'debit']),
  amountCents: units,
  currency: z.string(),
  outcome: z.enum(PAYMENT_OUTCOMES),
  /** Masked: initials, and the ends of the account. */
  payer: z.string(),
  account: z.string(),
  bookedOn: day,
  valueOn: day,
  receivedAt: moment,
  /** The order that it names or pays. */
  orderId: z.string().nullable()
})
const event = z.object({ at: moment, what: z.string(), who: z.string(), why: z.string() })
const leave = z.object({ until: day, isTopUp: z.boolean(), by: z.string(), why: z.string() })
const recall = z.object({ reason: z.enum(RECALL_REASONS), bankCase: z.string(), openedAt: moment })
const waiting = payment.extend({
  leave: leave.nullable(),
  recall: recall.nullable(),
  /** True while the worker carries out what was decided. */
  isDecided: z.boolean()
})
const candidate = z.object({
  orderId: z.string(),
  customerId: z.string(),
  euroCents: units,
  isAnnounced: z.boolean(),
  createdAt: moment,
  score: z.number().int(),
  reasons: z.array(
    z.object({ reason: z.enum(Object.keys(CANDIDATE_REASONS) as [keyof typeof CANDIDATE_REASONS]), points: z.number().int() })
  ),
  /** Why two persons must decide; null if one is enough. */
  second: z.enum(['not_exact', 'other_name', 'other_order', 'above_sum', 'several']).nullable(),
  /** What is above or below its price, with a sign. */
  differenceCents: z.string(),
  /** Why it cannot be assigned at all. */
  refused: z.string().nullable()
})
const bankFile = z.object({
  id: z.string(),
  name: z.string(),
  source: z.enum(['folder', 'upload']),
  by: z.string().nullable(),
  /** The second person of an upload. */
  acceptedBy: z.string().nullable(),
  isYours: z.boolean(),
  closedAt: moment.nullable(),
  addedAt: moment,
  receivedAt: moment.nullable(),
  problems: z.array(z.string()),
  entries: z.number().int(),
  known: z.number().int(),
  matched: z.number().int(),
  apart: z.number().int()
})

const preview = z.object({
  digest: z.string(),
  statements: z.array(
    z.object({
      statementId: z.string(),
      closedOn: z.string().nullable(),
      openingCents: z.string().nullable(),
      closingCents: z.string().nullable()
    })
  ),
  entries: z.number().int(),
  inCents: units,
  outCents: units,
  problems: z.array(z.string()),
  /** Its entries, at most 1,000 of them. */
  shown: z.array(payment.pick({ direction: true, amountCents: true, currency: true, payer: true, bookedOn: true, orderId: true }))
})

export const paymentShapes = {
  listPayments: {
    query: z.strictObject({ filter: z.enum(['decide', 'all']).default('decide'), before: rowNumber.optional() }),
    answer: z.object({ payments: z.array(waiting), sumCents: units, next: z.string().nullable() })
  },
  getPayment: {
    ...byPayment,
    answer: waiting.extend({
      /** What of the text looks like a reference; the rest may name people. */
      sentAs: z.string().nullable(),
      isWaiting: z.boolean(),
      decideBy: moment,
      candidates: z.array(candidate),
      /** Others that wait and may pay the same order with it. */
      beside: z.array(payment),
      /** True if no file for the bank can name the account that it came from. */
      isByHand: z.boolean(),
      isReturnedRefund: z.boolean(),
      refund: z.object({ state: z.string(), endToEndId: z.string(), file: z.string().nullable() }).nullable(),
      events: z.array(event)
    })
  },
  showPayer: {
    ...byPayment,
    body: z.strictObject({ why }),
    answer: z.object({ name: z.string(), iban: z.string(), remittance: z.string(), until: moment })
  },
  assignPayment: { ...byPayment, body: assignment, answer: done },
  proposeAssignment: { ...byPayment, body: assignment, answer: proposed },
  leavePayment: { ...byPayment, body: z.strictObject({ until: day, why }), answer: done },
  awaitTopUp: { ...byPayment, body: z.strictObject({ orderId: reference, until: day, why }), answer: done },
  proposeRefund: { ...byPayment, body: z.strictObject({ why }), answer: proposed },
  proposeRefundElsewhere: {
    ...byPayment,
    body: z.strictObject({
      name: z.string().trim().min(2, 'Name the holder of the account.').max(70, 'At most 70 characters.'),
      iban: z.string().trim().min(10, 'An IBAN has at least 15 characters.').max(42, 'At most 42 characters.'),
      document: z.string().trim().min(5, 'Say which document shows that the account is theirs, and where it is kept.').max(300),
      why
    }),
    answer: proposed
  },
  openRecall: {
    ...byPayment,
    body: z.strictObject({
      reason: z.enum(RECALL_REASONS),
      bankCase: z.string().trim().min(1, "The bank's number of the case.").max(60),
      why
    }),
    answer: done
  },
  answerRecall: { ...byPayment, body: z.strictObject({ answer: z.enum(RECALL_ANSWERS), why }), answer: done },
  getRefunds: {
    answer: z.object({
      states: z.array(z.object({ state: z.string(), count: z.number().int(), cents: units, oldestAt: moment.nullable() })),
      files: z.array(
        z.object({
          id: z.string(),
          messageId: z.string(),
          digest: z.string(),
          transfers: z.number().int(),
          confirmed: z.number().int(),
          sumCents: units,
          madeBy: z.string(),
          madeAt: moment,
          downloadedAt: moment.nullable(),
          sentBy: z.string().nullable(),
          sentAt: moment.nullable(),
          cancelledAt: moment.nullable(),
          /** Transfers of it that must not be made any more: it is given up, and the others come into a new one. */
          wrong: z.number().int(),
          isYours: z.boolean()
        })
      )
    })
  },
  makeRefundFile: { body: z.strictObject({}), answer: done },
  downloadRefundFile: { ...byFile, body: z.strictObject({}), answer: fileAnswer },
  sendRefundFile: { ...byFile, body: z.strictObject({}), answer: done },
  proposeCancelRefundFile: { ...byFile, body: z.strictObject({ why }), answer: proposed },
  proposeRefundFileAgain: { ...byFile, body: z.strictObject({ why }), answer: proposed },
  uploadStatement: {
    body: z.strictObject({
      name: z.string().trim().min(1, 'Choose a file.').max(200),
      content: z.string().min(1, 'Choose a file.')
    }),
    answer: done
  },
  /** `digest`: of what was looked at. */
  acceptStatement: { ...byFile, body: z.strictObject({ why, digest: z.string().max(64) }), answer: done },
  proposeCloseBankFile: { ...byFile, body: z.strictObject({ why }), answer: proposed },
  listBankFiles: { answer: z.array(bankFile) },
  getBankFile: {
    ...byFile,
    answer: bankFile.extend({
      results: z.array(payment.extend({ wasKnown: z.boolean() })),
      /** What an upload would tell, while it waits for its second person. */
      preview: preview.nullable()
    })
  },
  listBankDays: {
    answer: z.array(
      z.object({
        day,
        openingCents: z.string().nullable(),
        inCents: units,
        outCents: units,
        closingCents: z.string(),
        booksCents: z.string(),
        isEqual: z.boolean()
      })
    )
  }
} satisfies SomeShapes
