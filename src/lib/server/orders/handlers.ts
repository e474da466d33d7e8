import { fieldMessage } from '#lib/messages/errors.ts'
import { type ApiDependencies, route } from '../platform/api/route.ts'
import type { Api } from '../platform/api/types.ts'
import { AppError } from '../platform/errors.ts'
import { readStakingTotal } from '../staking/total.ts'
import { listComboConfigs } from './configs.ts'
import { createOrder } from './create.ts'
import { confirmPurchase } from './declarePaid.ts'
import { previewCombo } from './preview.ts'
import { listOrders, readOrder } from './read.ts'

export function registerOrders(api: Api, dependencies: ApiDependencies): void {
  const { context } = dependencies
  route(api, dependencies, 'listComboConfigs', 'The packages on sale', ({ query }) => listComboConfigs(context, query.type))
  route(api, dependencies, 'previewCombo', 'What a package would cost and bring now', ({ params }) =>
    previewCombo(context, params.id)
  )
  route(
    api,
    dependencies,
    'createOrder',
    'The open order for a package, made where there is none',
    ({ customer, body, idempotencyKey }) => createOrder(context, customer, { comboConfigId: body.comboConfigId, idempotencyKey })
  )
  route(api, dependencies, 'getStakingTotal', 'What the staked packages cost', ({ customer }) =>
    readStakingTotal(context, customer)
  )
  route(api, dependencies, 'listOrders', "The customer's orders, newest first", ({ customer, query }) =>
    listOrders(context, customer, query)
  )
  route(api, dependencies, 'getOrder', 'One order', ({ customer, params }) => readOrder(context, customer, params.id))
  route(
    api,
    dependencies,
    'confirmPurchase',
    'The customer says that the transfer was made',
    async ({ customer, params, body }) => {
      if (body.orderComboId !== undefined && body.orderComboId !== params.id) {
        throw new AppError('invalid_fields', { fields: { orderComboId: fieldMessage('') } })
      }
      return confirmPurchase(context, customer, params.id)
    }
  )
}
