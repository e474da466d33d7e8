/** The withdrawal screen. Source: spec sections 2, 5, 8 and 9; sentences beyond it are ours. */
import type { HOLD_REASONS } from '#lib/domain/access/withdrawalGate.ts'

type HoldReason = (typeof HOLD_REASONS)[number]

export const withdrawTexts = {
  title: 'Withdraw',
  back: 'Wallet',
  crypto: 'Crypto',
  address: 'Address',
  addressPlaceholder: (token: string) => `${token} address of the receiver`,
  validAddress: (token: string) => `A valid ${token} address.`,
  itsAccount: (id: string) => `A valid CPC address. Its account: ${id}`,
  publicKey: 'Public key',
  publicKeyHint: '64 characters, shown beside the account in the receiver’s wallet.',
  network: 'Network',
  amount: 'Amount',
  available: 'Available',
  max: 'Max',
  minimumHint: 'Minimum withdrawal: 1',
  minimum: 'From your spot balance. Minimum withdrawal: 1',
  fromBoth: (spot: string, funding: string) => `${spot} from spot and ${funding} from funding.`,
  insufficient: (has: string) => `Insufficient Balance. You have ${has}.`,
  belowFee: (amount: string, fee: string) => `${amount} is below the fee of ${fee}. Nothing would arrive.`,
  belowLeast: (least: string, fee: string) => `The smallest withdrawal is ${least}: the fee is ${fee}.`,
  aboveLimit: (left: string) => `Above your limit: ${left} are left within 24 hours.`,
  missingTitle: 'Missing required data',
  missing: 'Missing required data. Please provide wallet address and amount.',
  missingAddress: 'Please provide wallet address.',
  missingAmount: 'Please enter an amount',
  result: 'What arrives',
  received: 'Received',
  fee: 'Fee',
  fromSpot: 'From spot',
  fromFunding: 'From funding',
  leftAfterwards: 'Left afterwards',
  limitLeft: 'Left of today’s limit',
  limitOf: (limit: string) => `of ${limit}`,
  noPrices: 'There are no prices at the moment, so that nothing can be withdrawn. Please try again in a few minutes.',
  approvedBy: (above: string) => `Withdrawals above ${above} are approved by a person of our team, within 24 hours.`,
  submit: 'Submit',
  confirmTitle: 'Withdrawal Confirmation',
  to: 'To',
  newAddress:
    'This address is new. We e-mail you a link to confirm it, or to cancel. Once sent, a transfer cannot be taken back.',
  knownAddress: 'Once sent, a transfer cannot be taken back.',
  goBack: 'Back',
  withdraw: (amount: string) => `Withdraw ${amount}`,
  withdrawing: 'Withdrawing…',
  done: (token: string) => `Withdraw ${token} successfully`,
  failed: (token: string) => `Withdraw ${token} failed`,
  addressBook: 'Address book',
  chooseAddress: 'Choose an address',
  noAddresses: 'No address of this network yet. Addresses that you withdraw to are kept here.',
  unnamed: 'Without a name',
  allWithdrawals: 'All withdrawals',
  details: 'Who receives it?',
  detailsAbout: 'Above EUR 1,000 the law asks us for the receiver.',
  self: 'I do',
  other: 'Somebody else',
  fullName: 'Full name',
  partyAddress: 'Where they live',
  service: 'Exchange or service that keeps the wallet (empty: their own wallet)',
  serviceOwn: 'Exchange or service that keeps the wallet (empty: my own wallet)',
  nameMissing: 'Please enter the full name',
  addressMissing: 'Please enter where they live',
  senderTitle: (amount: string) => `Who sent your deposit of ${amount}?`,
  senderAbout: 'Above EUR 1,000 the law asks us for the sender. Withdrawals wait for your answer.',
  senderSelf: 'I did',
  senderAddress: 'Where they live (of somebody else)',
  senderService: 'Exchange or service that it came from (empty: an own wallet)',
  save: 'Save',
  saving: 'Saving…',
  gate: {
    locked: 'Your account is locked, because a sign-in was reported. Set a new password to go on.',
    held: 'Withdrawals wait until we have looked at your account. We write to you.',
    resting: 'Withdrawals rest for 24 hours after a change to the security of your account.',
    not_verified: 'Please complete the identity check first.'
  } satisfies Record<HoldReason, string>,
  restingUntil: (until: string) => `They are possible again from ${until}.`,
  verify: 'Verify now',
  needsScript: 'This form needs its script. Please reload the page if it does not answer.'
} as const

/** The list of withdrawals, and the sentences about each. */
export const withdrawalListTexts = {
  title: 'Withdraw History',
  caption: 'Your withdrawals, newest first',
  token: 'Token',
  date: 'Date',
  amount: 'Amount',
  receiver: 'Receiver',
  transaction: 'Transaction',
  status: 'Status',
  fee: (fee: string) => `fee ${fee}`,
  explorer: 'View on the network',
  cancel: 'Cancel',
  cancelIt: (amount: string) => `Cancel the withdrawal of ${amount}`,
  empty: { title: 'No withdrawals yet', about: 'Coins that you send away are listed here.' },
  noMatch: 'Nothing matches',
  unconfirmed:
    'We sent you a mail: press its link to confirm the address. Without it the withdrawal is cancelled after 24 hours.',
  review: 'A person of our team approves it, within 24 hours.',
  approved: 'It is sent in a few minutes.',
  signed: 'It is on its way. The network confirms it.'
} as const

/** The progress of an open withdrawal: who acts next, and by when. */
export const withdrawalProgressTexts = {
  title: (amount: string) => `Withdrawal of ${amount}`,
  requested: 'Requested',
  requestedAbout: (amount: string, to: string) => `By you: ${amount} to ${to}.`,
  confirmedByYou: 'Confirmed by you',
  approved: 'Approved',
  approvedAbout: 'By us.',
  sent: 'Sent',
  sentNext: 'By us, in a few minutes.',
  confirmed: 'Confirmed',
  arrives: (received: string) => `By the network: ${received} arrive.`,
  by: (moment: string) => `by ${moment}`,
  about: (minutes: string) => (minutes === '' ? '' : `about ${minutes}`),
  minutes: { BTC: '30 minutes', ETH: '3 minutes', CPCx0: '10 minutes' } as Record<string, string>,
  cancel: 'Cancel withdrawal',
  cancelAbout: 'Possible until it is sent. You get the whole amount back at once.'
} as const

/** The address book and the whitelist. */
export const addressBookTexts = {
  title: 'Address book',
  about: 'Addresses that you withdraw to. A new one is confirmed by mail with its first withdrawal.',
  none: 'No address yet',
  name: 'Name',
  network: 'Network',
  address: 'Address',
  add: 'Add an address',
  adding: 'Saving…',
  listed: 'On the whitelist',
  listedFrom: (when: string) => `On the whitelist from ${when}`,
  list: 'Put on the whitelist',
  remove: 'Remove',
  removing: 'Removing…',
  removeIt: (name: string) => `Remove ${name}`,
  whitelist: 'Whitelist',
  whitelistAbout:
    'While it is on, withdrawals go only to listed addresses. Adding an address and switching it off both take 24 hours.',
  on: 'On',
  off: 'Off',
  endsAt: (when: string) => `Ends ${when}`,
  switchOn: 'Switch on',
  switchOff: 'Switch off',
  switching: 'One moment…'
} as const

/** The page behind the link of a mail about a new address. */
export const withdrawLinkTexts = {
  title: 'Confirm your withdrawal',
  about: 'Compare the address with the original. Once sent, a transfer cannot be taken back.',
  confirm: 'Confirm',
  cancel: 'Cancel the withdrawal',
  confirmed: 'Thank you. It is confirmed.',
  confirmedAbout: 'It is sent in a few minutes, or after a person of our team has approved it.',
  cancelled: 'The withdrawal is cancelled.',
  cancelledAbout: 'The whole amount is back where it came from. If you did not ask for it, set a new password now.',
  invalid: 'This link no longer works',
  invalidAbout: 'The withdrawal was confirmed or cancelled already, or 24 hours have passed.',
  failed: 'We could not do that at the moment. Please try again.',
  toList: 'View withdrawals'
} as const
