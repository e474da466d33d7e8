/** The filter of the lists of deposits and withdrawals, from their URL. */
type Tab = 'order' | 'deposit' | 'withdrawal'
export type HistoryFilter = { token?: string; status?: string }
type Shown = { currency: string; status: string }

export const HISTORY_STATUSES = {
  deposit: ['PENDING', 'TX_CONFIRMED', 'CREDITED'],
  withdrawal: ['PENDING', 'TX_CONFIRMED', 'CANCELLED']
} as const

/** Reads the filter; an invalid token or status is left out. */
export function readFilter(search: URLSearchParams, tab: Tab): HistoryFilter {
  if (tab === 'order') return {}
  const [token, status] = [search.get('token'), search.get('status')]
  return {
    ...(token && /^[A-Z]{3,5}$/.test(token) && { token }),
    ...(status && HISTORY_STATUSES[tab].some((one) => one === status) && { status })
  }
}

export function isShown({ token, status }: HistoryFilter, one: Shown): boolean {
  return (!token || one.currency === token) && (!status || one.status === status)
}

const NOTICES = {
  cancelled: 'cancelled',
  'cancel-asked': 'cancelAsked',
  'too-late': 'tooLate',
  sender: 'sender',
  refused: 'refused'
} as const

/** The result of the form that led to this page, as the name of its sentence. */
export function readNotice(search: URLSearchParams): (typeof NOTICES)[keyof typeof NOTICES] | undefined {
  const notice = search.get('notice') ?? ''
  return Object.hasOwn(NOTICES, notice) ? NOTICES[notice as keyof typeof NOTICES] : undefined
}
