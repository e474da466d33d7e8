import { type CallRules, changing, movingMoney, reading } from './rules.ts'

export const ordersCalls = {
  listComboConfigs: { ...reading, path: '/orders/combo/config' },
  getBonusOffer: { ...reading, path: '/orders/combo/bonus' },
  previewCombo: { ...reading, path: '/orders/combo/preview/{id}' },
  checkPromoCode: {
    ...changing,
    path: '/orders/promo',
    limits: { address: { max: 60, windowSeconds: 600 }, account: { max: 15, windowSeconds: 600 } }
  },
  createOrder: { ...changing, path: '/orders/combo', limits: movingMoney, key: 'optional' },
  listOrders: { ...reading, path: '/orders/combo' },
  getOrder: { ...reading, path: '/orders/combo/{id}' },
  acceptOrderTerms: { ...changing, path: '/orders/combo/{id}/terms', limits: movingMoney },
  cancelOrder: { ...changing, path: '/orders/combo/{id}/cancel', limits: movingMoney },
  declarePaid: { ...changing, method: 'PATCH', path: '/orders/combo/{id}/purchase', limits: movingMoney }
} as const satisfies Record<string, CallRules>
