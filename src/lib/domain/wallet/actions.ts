/** Where deposits, withdrawals and orders are open (spec section 6). */
const DEPOSIT = new Set(['CPC', 'ETH', 'BTC', 'USDC'])
const WITHDRAW = new Set(['CPC', 'ETH', 'BTC'])
const ORDER_HISTORY = new Set(['CPC', 'PTC'])

export const mayDeposit = (code: string): boolean => DEPOSIT.has(code)
export const mayWithdraw = (code: string): boolean => WITHDRAW.has(code)
export const hasOrderHistory = (code: string): boolean => ORDER_HISTORY.has(code)
