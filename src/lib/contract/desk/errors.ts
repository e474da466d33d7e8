/** Error codes of the desk with their status and sentence. Staff read English; the codes are stable. */

export const deskErrors = {
  invalid_request: [400, 'This request is not valid.'],
  invalid_fields: [422, 'Please check the marked fields.'],
  signed_out: [401, 'You are signed out. Sign in with your passkey.'],
  passkey_invalid: [401, 'This passkey was not accepted.'],
  passkey_needed: [403, 'Confirm this with your passkey.'],
  passkey_late: [403, 'The confirmation is older than two minutes, or was made for something else. Confirm again.'],
  key_resting: [403, 'This passkey is new: it signs in, but approves nothing yet. Your page says from when it does.'],
  right_missing: [403, 'Your roles do not include this.'],
  foreign_origin: [403, 'This request did not come from the desk.'],
  own_proposal: [403, 'Another person must decide this: it is your own proposal.'],
  case_went_on: [409, 'There is a new message. Read it first: what you wrote is still in its field.'],
  own_account: [403, 'This is about you. Somebody else must decide it.'],
  invitation_invalid: [400, 'This invitation is not valid any more. Ask for a new one.'],
  not_found: [404, 'There is no such thing here.'],
  method_not_allowed: [405, 'This is not how this address is called.'],
  length_required: [411, 'The length of the request is missing.'],
  body_too_large: [413, 'This is too much.'],
  person_exists: [409, 'There is a person with this name or e-mail already.'],
  person_stopped: [409, 'This person was stopped before.'],
  last_admin: [409, 'At least two admins must stay: changes need two of them.'],
  held_before: [409, 'There was a hold within the last three days. A longer one is for compliance to make.'],
  last_key: [409, 'This is your last passkey. Add another one first.'],
  too_many_keys: [409, 'You have ten passkeys. Remove one first.'],
  facts_changed: [
    409,
    'What was proposed is not as it was: {changed}. Propose it again; where that is refused, reject it and decide anew.'
  ],
  proposal_over: [409, 'This proposal is over.'],
  proposal_open: [409, 'The same is proposed already.'],
  act_refused: [409, 'It was refused, and nothing was changed. {why}'],
  withdrawal_not_waiting: [409, 'This withdrawal does not wait for an approval any more.'],
  payment_not_stuck: [409, 'This payment is over, or its chain cannot do this: a CPC payment expires by itself.'],
  wallet_refused: [409, '{why} Nothing was changed.'],
  refill_not_open: [409, 'This refill is not at this step, is over, or you are one of its persons already.'],
  hit_decided: [409, 'This was decided already.'],
  mail_not_again: [409, 'This mail is not sent again: its link is a secret, or what it says is out of date.'],
  check_not_completed: [409, 'This customer has no completed check.'],
  limit_request_over: [409, 'This request was answered already.'],
  limit_not_possible: [409, '{why} Nothing was changed.'],
  house_refused: [409, '{why} Nothing was changed.'],
  price_not_doubted: [409, 'This price is not in doubt any more, or it is another one now.'],
  hold_of_name: [409, 'This hold ends by the decision about the name (page Names).'],
  withdrawal_over: [409, 'This withdrawal is signed already, or over.'],
  approved_by_you: [409, 'You have approved this already. Another person must do the same.'],
  second_person_needed: [409, 'Two persons decide this: {why} Propose it.'],
  approver_of_compliance: [403, 'A second person of compliance must approve this.'],
  payment_refused: [409, '{why} Nothing was changed.'],
  recall_open: [409, 'A recall of this payment is open already.'],
  recall_not_open: [409, 'No recall of this payment is open.'],
  file_not_to_accept: [409, 'This file was accepted or given up before, or you uploaded it yourself.'],
  file_not_to_close: [409, 'This file was received, or given up before.'],
  file_outdated: [409, 'A transfer of this file must not be made any more. Give the file up: the others come into a new one.'],
  file_known: [409, 'This file was uploaded before.'],
  file_downloaded: [409, 'This file was downloaded before. If it was lost, two persons release it once more.'],
  file_not_to_send: [
    409,
    'This file cannot be marked as sent: it was marked before, nobody has downloaded it, or you made it yourself.'
  ],
  outcome_unknown: [503, 'It is not known yet whether this was done. Open the page again and look before you repeat it.'],
  job_not_failed: [409, 'This job has not given up, or it is a mail: what it said is no longer kept.'],
  alarm_over: [409, 'This alarm is over.'],
  nothing_to_refund: [409, 'No refund waits for a file.'],
  chain_not_halted: [409, 'This chain is not halted, or the reasons changed while you looked.'],
  busy: [409, 'Somebody else is working on this at the moment. Nothing was changed; try again.'],
  too_many_requests: [429, 'Too many tries. Wait a little.'],
  internal: [500, 'Something went wrong. Nothing was changed.'],
  unavailable: [503, 'The database does not answer. Nothing was changed; try again in a moment.']
} as const satisfies Record<string, readonly [number, string]>

export type DeskErrorCode = keyof typeof deskErrors
export type DeskErrorParams = Record<string, string>
export type DeskFailure = {
  statusCode: number
  code: DeskErrorCode
  message: string
  params?: DeskErrorParams
  /** The sentence of each wrong field. */
  fields?: Record<string, string>
  requestId?: string
}

export function deskSentence(code: DeskErrorCode, params: DeskErrorParams = {}): string {
  return deskErrors[code][1].replace(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole)
}
