/** Who operates the product: people, passkeys, rights, what two persons decide, and the audit log. */
export {
  entriesAbout,
  type HeadSigner,
  headJob,
  isInLog,
  keepEntry,
  listEntries,
  newestHead,
  signHead,
  unsignedSince,
  verifyAudit
} from './audit.ts'
export { decideBriefly } from './decide.ts'
export { DeskError } from './failure.ts'
export { changeSetting, deskSettings, lockSetting } from './houseRules.ts'
export {
  actHashOf,
  actOptions,
  addKeyOptions,
  addStaffKey,
  approvesFrom,
  type Evidence,
  keysForSigner,
  keysOf,
  removeStaffKey,
  signInOptions,
  signInStaff,
  takeAct
} from './keys.ts'
export {
  acceptInvitation,
  activeOperators,
  changeRoles,
  findInvitation,
  findPerson,
  findPersonByEmail,
  hasOverride,
  type Invited,
  invitationOptions,
  invite,
  inviteFirst,
  listStaff,
  namesOf,
  onCallAddresses,
  openInvitations,
  setOnCall,
  stopPerson,
  stoppedPersons,
  withdrawInvitation
} from './people.ts'
export { approvedProposals, findProposal, listProposals, openProposals, type Proposal } from './proposalList.ts'
export { approveProposal, changesOf, factsNow, propose, rejectProposal, repeatProposal } from './proposals.ts'
export type { PasskeyAnswer, PlanLine } from './schema.ts'
export { endStaffSession, findStaff, type Opened, staffCleanUp, whoIsHere } from './sessions.ts'
export { type ListedKey, PERSON, parseStaffKeys, personOfAnswer, staffKeysOfFile } from './signerKeys.ts'
export { type ActOf, type AnyAct, type DeskActs, personsOf, type TwoPersonAct } from './twoPersons.ts'
export { mayStill, requireRight, type Staff, staffActor, thoseWhoMay } from './who.ts'
