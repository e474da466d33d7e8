/** The euro screens. Source: spec sections 2, 5 and 9. Their data are samples. */
export const euroTexts = {
  sample: 'Sample',
  sampleAbout:
    'These screens show how an account with your own IBAN will work. The account, its balance and its payments are samples: none of it is real money.',
  title: 'EURO Sepa IBAN',
  about: 'Send Euro from your personal bank account to your own IBAN with us, and they arrive in your wallet.',
  partner: 'Our payment services partner opens a vIBAN in your name after your identity check.',
  consent: 'By pressing “Open now vIBAN” you agree to the',
  terms: 'General Terms & Conditions',
  open: 'Open now vIBAN',
  bankDetails: 'Bank details',
  bankDetailsAbout: 'Your first transfer would go to this account:',
  accept: 'I have read and accept the General Terms & Conditions',
  goOn: 'Continue',
  sideTitle: 'What it is for',
  side: [
    'Buy crypto with the Euro in your account, or swap one for the other.',
    'Withdraw Euro back to your personal bank account.',
    'Transfers are by SEPA, in Euro, between your own accounts.'
  ],
  agreementFailed: 'The agreement could not be loaded',
  agreementPage: 'Read it on its own page.',
  close: 'Close'
} as const

export const euroListTexts = {
  title: 'Your IBANs',
  back: 'EURO Sepa IBAN',
  iban: 'IBAN',
  balance: 'Balance (EURO)',
  action: 'Action',
  status: 'Status',
  swap: 'Swap',
  history: 'History',
  deposit: 'Deposit/Details',
  withdrawal: 'Withdrawal',
  statuses: { verified: 'Verified', pending: 'Pending' },
  pendingAbout: 'Under review: you cannot use it yet.',
  detailsTitle: 'Deposit details',
  transferType: 'Transfer type',
  onlySepa: 'Bank transfer (only Sepa)',
  rulesTitle: 'Before you transfer',
  rules: (remark: string) => [
    `Add the remark ${remark}.`,
    'Send only your own funds, from an account in your name.',
    'Send only Euro by Sepa.',
    'Sepa Instant arrives in up to 2 hours, regular Sepa in up to 3 business days.'
  ],
  beneficiary: 'Beneficiary',
  bic: 'BIC',
  remark: 'Remark',
  copyAll: 'Copy All',
  all: 'all details',
  /** The first line of what is copied: pasted elsewhere, nothing else says that the account is a sample. */
  copiedSample: 'SAMPLE: this account does not exist.',
  sampleOf: (text: string) => `SAMPLE ${text}`,
  letter: 'Generate PDF Reference Letter'
} as const

export const euroLetterTexts = {
  file: 'reference-letter-sample.pdf',
  title: 'Reference Letter',
  sample: 'SAMPLE: this account does not exist, and this letter confirms nothing.',
  date: (day: string) => `Date: ${day}`,
  intro: 'Euro transfers for the account holder are to be sent to the account named in this letter.',
  rules: 'Rules for transfers'
} as const

export const euroWithdrawTexts = {
  title: 'Withdraw Euro',
  back: 'Your IBANs',
  notes: [
    'Only Euro SEPA transfers.',
    'Only to your own activated payout IBAN.',
    'To activate a new payout IBAN, send at least 1 Euro from that personal account.'
  ],
  notesTitle: 'Before you start',
  source: 'Source currency',
  destination: 'Destination IBAN',
  amountStep: 'Amount',
  amount: 'Amount',
  placeholder: 'Minimum withdrawal amount: 1',
  remarks: 'Remarks (optional)',
  available: 'Available balance:',
  max: 'Max',
  received: 'Received',
  fee: 'Fee',
  rate: (token: string, price: string) => `At a sample price of ${price} for 1 ${token}.`,
  submit: 'Submit',
  errors: {
    amount_required: 'Please enter an amount',
    amount_invalid: 'Please enter a valid amount greater than zero.',
    amount_too_much: 'Insufficient Balance',
    amount_below_fee: 'The amount must be more than the fee.'
  },
  missingDestination: 'Please choose a payout IBAN.'
} as const

export const confirmEuroTexts = {
  title: 'Confirm your withdrawal',
  back: 'Withdraw Euro',
  from: 'You send',
  to: 'To',
  fee: 'Fee',
  received: 'You receive',
  remarks: 'Remarks',
  confirm: 'Confirm',
  change: 'Edit',
  loading: 'Loading…',
  done: 'Your withdrawal would now be sent',
  doneAbout: 'It was a sample: nothing was booked and nothing left your wallet.',
  toHistory: 'Go to history',
  noScript: 'This step needs JavaScript. Please start again at'
} as const

export const euroHistoryTexts = {
  title: 'Euro history',
  back: 'Your IBANs',
  balance: 'Balance',
  rewards: 'Rewards balance',
  loading: 'Loading...',
  rewardsFailed: 'Not available at the moment',
  address: 'IBAN',
  addressLabel: 'Part of an IBAN',
  from: 'From',
  until: 'Until',
  anyAction: 'All actions',
  filter: 'Filter',
  reset: 'Show all',
  download: 'Download',
  downloadLabel: 'Download this list as a CSV file',
  list: 'Payments',
  date: 'Date',
  action: 'Action',
  amount: 'Amount',
  iban: 'IBAN',
  remarks: 'Remarks',
  none: 'No payments match this filter',
  noneAbout: 'Choose other dates, or show all.',
  file: 'euro-history-sample',
  /** The first column of every line of the file, and its value. */
  sampleColumn: 'Sample',
  sampleLine: 'SAMPLE'
} as const
