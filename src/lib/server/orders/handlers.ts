import type { ordersCalls } from '#lib/contract/orders.ts'
import type { Handlers } from '../platform/api/mount.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { acceptOrderTerms } from './acceptTerms.ts'
import { readBonusOffer } from './bonus.ts'
import { cancelOrder } from './cancel.ts'
import { listComboConfigs } from './configs.ts'
import { createOrder, type OrderPorts } from './create.ts'
import { declarePaid } from './declarePaid.ts'
import { previewCombo } from './preview.ts'
import { enterPromoCode } from './promo.ts'
import { listOrders, readOrder } from './read.ts'

export function orderHandlers(context: Context, ports: OrderPorts): Handlers<keyof typeof ordersCalls> {
  const { rates, bank, promoCode } = ports
  return {
    listComboConfigs: ({ query }) => listComboConfigs(context, rates, query.type),
    getBonusOffer: ({ customer }) => readBonusOffer(context, ports, customer),
    previewCombo: ({ customer, params }) => previewCombo(context, ports, customer, params.id),
    checkPromoCode: ({ customer, body }) => enterPromoCode(context, promoCode, customer, body.code),
    createOrder: ({ customer, body, idempotencyKey }) =>
      createOrder(context, ports, customer, { comboConfigId: body.comboConfigId, idempotencyKey }),
    listOrders: ({ customer, query }) => listOrders(context, bank, customer, query),
    getOrder: ({ customer, params }) => readOrder(context, bank, customer, params.id),
    acceptOrderTerms: ({ customer, params, body }) =>
      acceptOrderTerms(context, bank, customer, { id: params.id, versions: body.versions }),
    cancelOrder: ({ customer, params }) => cancelOrder(context, bank, customer, params.id),
    declarePaid: async ({ customer, params, body }) => {
      if (body.orderComboId !== undefined && body.orderComboId !== params.id)
        throw new AppError('invalid_fields', { fields: { orderComboId: 'invalid' } })
      return declarePaid(context, bank, customer, params.id)
    }
  }
}
