/** The sample data of the euro screens (spec section 2): no real money. The IBANs are public examples. */

export const EURO_SOURCES = ['CPC', 'ETH', 'BTC'] as const
export type EuroSource = (typeof EURO_SOURCES)[number]

export const EURO_ACTIONS = ['Deposit', 'Withdrawal', 'Swap', 'Purchase'] as const
export type EuroAction = (typeof EURO_ACTIONS)[number]

export type SampleIban = { iban: string; balanceCents: bigint; status: 'verified' | 'pending' }
export const SAMPLE_IBANS: SampleIban[] = [
  { iban: 'LT121000011101001000', balanceCents: 125_000n, status: 'verified' },
  { iban: 'EE382200221020145685', balanceCents: 0n, status: 'pending' }
]

/** The bank details for a transfer to the sample account. */
export const SAMPLE_ACCOUNT = { beneficiary: 'Sample Customer', iban: 'LT121000011101001000', bic: 'SMPLLT22XXX' } as const
export const OWN_ACCOUNTS_REMARK = 'TRANSFER BETWEEN YOUR OWN ACCOUNTS'

/** Payout IBANs that the customer has activated. */
export const SAMPLE_PAYOUTS = [
  { id: 'first', bank: 'Sample Bank Vienna', iban: 'AT611904300234573201' },
  { id: 'second', bank: 'Sample Bank Berlin', iban: 'DE89370400440532013000' }
] as const
export type PayoutId = (typeof SAMPLE_PAYOUTS)[number]['id']

/** The sample customer's balances in smallest units; below, the price of one token in euro. */
export const SAMPLE_AVAILABLE: Record<EuroSource, bigint> = {
  CPC: 2_000_000_000_000n,
  ETH: 350_000_000_000_000_000n,
  BTC: 2_200_000n
}
export const SAMPLE_EUR_PRICES: Record<EuroSource, string> = { CPC: '0.046', ETH: '3036.00', BTC: '89240.00' }

export type EuroLine = {
  at: string
  action: EuroAction
  /** Signed: negative if the money went out. */
  amountCents: bigint
  iban: string
  remarks: string
}

/** Newest first. */
export const SAMPLE_HISTORY: EuroLine[] = [
  {
    at: '2026-11-18T09:24:11.000Z',
    action: 'Deposit',
    amountCents: 50_000n,
    iban: 'AT611904300234573201',
    remarks: OWN_ACCOUNTS_REMARK
  },
  {
    at: '2026-11-12T15:02:40.000Z',
    action: 'Purchase',
    amountCents: -95_680n,
    iban: 'LT121000011101001000',
    remarks: 'PTC 1,000'
  },
  { at: '2026-10-29T07:45:03.000Z', action: 'Swap', amountCents: 24_500n, iban: 'LT121000011101001000', remarks: '5,543.58 CPC' },
  {
    at: '2026-10-14T11:30:55.000Z',
    action: 'Withdrawal',
    amountCents: -30_000n,
    iban: 'DE89370400440532013000',
    remarks: 'Rent'
  },
  {
    at: '2026-09-30T18:12:27.000Z',
    action: 'Deposit',
    amountCents: 150_000n,
    iban: 'AT611904300234573201',
    remarks: OWN_ACCOUNTS_REMARK
  },
  { at: '2026-09-02T08:00:19.000Z', action: 'Swap', amountCents: -18_820n, iban: 'LT121000011101001000', remarks: '0.062 ETH' },
  {
    at: '2026-08-21T13:37:02.000Z',
    action: 'Deposit',
    amountCents: 100n,
    iban: 'DE89370400440532013000',
    remarks: 'Activation of a payout IBAN'
  },
  {
    at: '2026-08-20T10:15:48.000Z',
    action: 'Deposit',
    amountCents: 44_900n,
    iban: 'AT611904300234573201',
    remarks: OWN_ACCOUNTS_REMARK
  }
]
