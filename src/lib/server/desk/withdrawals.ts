/** Decisions about withdrawals, and the questions to the passkey. */
import { randomBytes } from 'node:crypto'
import { type DeskCallName, isDeskCall, rulesOf } from '#lib/contract/desk/calls.ts'
import { deskShapes } from '#lib/contract/desk/shapes.ts'
import type { Once } from '#lib/domain/staff/challenge.ts'
import { PROPOSAL_SECONDS } from '#lib/domain/staff/sessions.ts'
import type { Context } from '../platform/context.ts'
import { challengeOf, type Site } from '../platform/webauthn.ts'
import {
  actHashOf,
  actOptions,
  DeskError,
  decideBriefly,
  deskSettings,
  type Evidence,
  keepEntry,
  requireRight,
  type Staff,
  staffActor
} from '../staff/index.ts'
import {
  approveByPasskey,
  challengeOfApproval,
  rejectWithin,
  type WithdrawalSettings,
  withdrawalWithEmail
} from '../withdrawals/index.ts'

import { challengeOfOrder } from './stuck.ts'

type Asked = { call: string; params: Record<string, string>; body: Record<string, unknown>; staff: Staff; site: Site }

/** An approval's challenge is the withdrawal itself, which the signer computes again; every other act has a random one. */
export async function askForPasskey(
  context: Context,
  settings: { withdrawals: WithdrawalSettings },
  { call, params, body, staff, site }: Asked
) {
  if (!isDeskCall(call) || rulesOf(call).passkey !== 'act') throw new DeskError('not_found')
  requireRight(staff, rulesOf(call).right)
  const actHash = actHashOf(call, params, body)
  const ofSigner = Object.hasOwn(SIGNED, call) ? SIGNED[call as keyof typeof SIGNED] : undefined
  if (!ofSigner) return actOptions(context, staff, site, { actHash })
  const expires = BigInt(Math.floor(context.clock().getTime() / 1000) + PROPOSAL_SECONDS)
  const nonce = randomBytes(16).toString('base64url')
  const challenge = await ofSigner(context, settings.withdrawals, { params, body }, { expires, nonce })
  return actOptions(context, staff, site, { actHash, challenge, once: { expires: expires.toString(), nonce } })
}

type Given = Pick<Asked, 'params' | 'body'>
type Challenge = (context: Context, settings: WithdrawalSettings, given: Given, once: Once) => Promise<Uint8Array<ArrayBuffer>>

/** The calls whose signature the signer checks by itself, each with what is signed. Throws `not_found` for what is not there. */
const SIGNED: Partial<Record<DeskCallName, Challenge>> = {
  approveWithdrawal: async (context, settings, { params }, once) => {
    const id = deskShapes.approveWithdrawal.params.safeParse(params).data?.id
    const found = id && (await withdrawalWithEmail(context.db, id))
    if (!found) throw new DeskError('not_found')
    return challengeOfApproval(settings, found.row, once)
  },
  bumpPayment: (context, settings, given, once) => challengeOfOrder(context, settings, orderIn('bump', given), once),
  cancelPayment: (context, settings, given, once) => challengeOfOrder(context, settings, orderIn('cancel', given), once)
}

function orderIn(kind: 'bump' | 'cancel', { params, body }: Given) {
  const { id } = deskShapes.bumpPayment.params.safeParse(params).data ?? {}
  const typed = deskShapes.bumpPayment.body.safeParse(body)
  if (!id) throw new DeskError('not_found')
  if (!typed.success) throw new DeskError('invalid_fields', { fields: { most: 'An amount, e.g. 0.002.' } })
  return { id, kind, most: typed.data.most }
}

/** Nobody decides about their own withdrawal: a member of staff may be a customer, too. */
async function requireForeign(context: Context, staff: Staff, id: string) {
  const found = await withdrawalWithEmail(context.db, id)
  if (!found) throw new DeskError('not_found')
  if (found.email === staff.email) throw new DeskError('own_account')
  return found.row
}

export async function approve(
  context: Context,
  settings: { withdrawals: WithdrawalSettings },
  { staff, id, why, evidence }: { staff: Staff; id: string; why: string; evidence: Evidence }
) {
  const row = await requireForeign(context, staff, id)
  const { once, key, answer } = evidence
  // Only what the signer will compute, too, is an approval.
  const approved = once && challengeOfApproval(settings.withdrawals, row, { expires: BigInt(once.expires), nonce: once.nonce })
  if (!approved || challengeOf(answer) !== Buffer.from(approved).toString('base64url')) throw new DeskError('passkey_late')
  const { usdCents } = row
  const outcome = await decideBriefly(context, staff, 'approve_withdrawal', async (work) => {
    const { withdrawal_two_above } = await deskSettings(work.tx)
    const { clientDataJSON, authenticatorData, signature } = answer.response
    const made = await approveByPasskey(work, {
      id,
      actor: staffActor(staff),
      why,
      twoAboveCents: withdrawal_two_above,
      answer: { key: key.id, ...once, clientData: clientDataJSON, authenticatorData, signature }
    })
    if (made === 'not_waiting') throw new DeskError('withdrawal_not_waiting')
    if (made === 'approved_before') throw new DeskError('approved_by_you')
    const details = { outcome: made, usdCents: usdCents.toString() }
    await keepEntry(work, { actor: staffActor(staff), act: 'approve_withdrawal', subject: `withdrawal:${id}`, why, details })
    return made
  })
  return {
    message:
      outcome === 'approved' ? 'Approved. The signer signs it next.' : 'Approved by you. Another person must approve it, too.'
  }
}

/** Throws `withdrawal_over` once it is signed. The customer reads why. */
export async function reject(context: Context, { staff, id, why }: { staff: Staff; id: string; why: string }) {
  await requireForeign(context, staff, id)
  await decideBriefly(context, staff, 'reject_withdrawal', async (work) => {
    if (!(await rejectWithin(context, work, { id, actor: staffActor(staff), why }))) throw new DeskError('withdrawal_over')
    await keepEntry(work, { actor: staffActor(staff), act: 'reject_withdrawal', subject: `withdrawal:${id}`, why })
  })
  return { message: 'Rejected. The customer has the amount back, and a mail with the reason.' }
}
