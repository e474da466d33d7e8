/** Sixteen parallel purchases that share our own accounts, compared with the same on accounts that no other purchase uses. */
import { randomUUID } from 'node:crypto'
import { customerAccount, house, post, type Transfer } from '#lib/server/ledger/index.ts'
import { type Database, openPostgres } from '#lib/server/platform/db/client.ts'
import { interleave, operationsPerSecond, type Row, ratioRow } from './measure.ts'

const BUYERS = 16

/** The transfers of a completed order, as `orders/complete.ts` books them. */
function purchase(buyer: string, bank: Transfer['source'], treasury: Transfer['source'], fees: Transfer['source']): Transfer[] {
  return [
    { source: bank, destination: treasury, currency: 'EUR', amount: 92_000n },
    { source: bank, destination: fees, currency: 'EUR', amount: 3680n },
    { source: treasury, destination: customerAccount(buyer, 'spot'), currency: 'CPC', amount: 2_000_000_000_000n }
  ]
}

function book(db: Database, transfers: Transfer[]): Promise<bigint> {
  const id = randomUUID()
  const about = { source: { type: 'adjustment', id }, actor: { kind: 'system', id: 'bench' }, at: new Date() } as const
  return post(db, { reason: 'adjustment', reference: id, transfers, ...about })
}

export async function benchPurchases(url: string): Promise<Row[]> {
  const { db, close } = await openPostgres(url, { poolSize: BUYERS, onLost: () => undefined })
  const buyers = Array.from({ length: BUYERS }, () => randomUUID())
  let turn = 0
  const next = () => {
    turn = (turn + 1) % BUYERS
    return buyers[turn] ?? ''
  }
  const own = await Promise.all(
    buyers.map(async (buyer) => {
      // Stand-ins for our own accounts, used by this buyer alone.
      const [bank, treasury, fees] = [randomUUID(), randomUUID(), randomUUID()]
      const fund = (owner: string, currency: string): Transfer => ({
        source: house('chain'),
        destination: customerAccount(owner, 'spot'),
        currency,
        amount: 10n ** 24n
      })
      await book(db, [fund(bank, 'EUR'), fund(treasury, 'CPC')])
      return {
        buyer,
        bank: customerAccount(bank, 'spot'),
        treasury: customerAccount(treasury, 'spot'),
        fees: customerAccount(fees, 'spot')
      }
    })
  )
  const shared = () => book(db, purchase(next(), house('bank'), house('treasury'), house('fees')))
  let worker = 0
  const separate = () => {
    worker = (worker + 1) % BUYERS
    const one = own[worker]
    if (!one) throw new Error('No buyer')
    return book(db, purchase(one.buyer, one.bank, one.treasury, one.fees))
  }
  const [onShared = 0, onSeparate = 0] = await interleave([
    { name: 'shared', run: () => operationsPerSecond(shared, BUYERS) },
    { name: 'separate', run: () => operationsPerSecond(separate, BUYERS) }
  ])
  await close()
  return [
    {
      what: 'purchases booked a second, 16 at once on the accounts of the house',
      value: onShared.toFixed(0),
      wanted: '',
      holds: undefined
    },
    ratioRow('16 purchases at once on the accounts of the house against 16 on separate accounts', onShared / onSeparate, 0.7)
  ]
}
