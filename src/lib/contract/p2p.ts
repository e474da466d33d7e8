import { type CallRules, changing, movingMoney, reading } from './rules.ts'

const trading = { ...changing, limits: movingMoney, key: 'optional', proof: 'fresh' } as const

export const p2pCalls = {
  getP2pRules: { ...reading, path: '/p2p/rules' },
  listP2pOrders: { ...reading, path: '/p2p/orders' },
  getP2pMarket: { ...reading, path: '/p2p/market' },
  previewP2pSweep: { ...reading, path: '/p2p/orders/preview' },
  sweepP2pBook: { ...trading, path: '/p2p/orders/fill' },
  listOwnP2pOrders: { ...reading, path: '/p2p/user/orders' },
  listP2pTrades: { ...reading, path: '/p2p/user/trades' },
  streamP2pOrders: {
    ...reading,
    path: '/p2p/orders/stream',
    limits: { account: { max: 60, windowSeconds: 60 }, isForgettable: true }
  },
  createP2pOrder: { ...trading, path: '/p2p/order' },
  previewP2pOrder: { ...changing, limits: movingMoney, path: '/p2p/order/preview-gross-asset' },
  cancelP2pOrder: { ...changing, limits: movingMoney, path: '/p2p/order/{id}/cancel' },
  fillP2pOrder: { ...trading, path: '/p2p/order/{id}/fill' }
} as const satisfies Record<string, CallRules>
