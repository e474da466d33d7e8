/** What the palette makes of typed words. */
import { describe, expect, it } from 'vitest'
import { deedsOf } from '#lib/client/platform/verbs.ts'

const order = { id: 'RF20147713497808', name: 'PTC 1,000', euroToPay: '956.80', comboConfigId: 82 }
const hrefs = (typed: string) => deedsOf(typed, [order]).map(({ href }) => href)

describe('the palette', () => {
  it.each([
    ['withdraw btc 0.01', ['/withdraw/BTC?amount=0.01']],
    ['withdraw 0,5 eth', ['/withdraw/ETH?amount=0.5']],
    ['withdraw 0,500 eth', ['/withdraw/ETH?amount=0.500']],
    ['withdraw cpc 12,500.5', ['/withdraw/CPC?amount=12500.5']],
    ['buy ptc 1,000', ['/package-detail/PTC?amount=1000']],
    ['  WITHD  cpc ', ['/withdraw/CPC']],
    ['send usd', ['/withdraw/USDC']],
    ['deposit eth', ['/deposit/ETH']],
    ['buy ptc 2500', ['/package-detail/PTC?amount=2500']],
    ['buy', ['/package-detail/PTC', '/package-detail/CPC']],
    ['pay RF20 1477', ['/package-detail/82/preview?order=RF20147713497808']],
    ['pay', ['/package-detail/82/preview?order=RF20147713497808']],
    ['pay RF99', []],
    ['transfer', ['/token-list']],
    ['trade', ['/p2p']],
    ['w', []],
    ['', []],
    ['withdraw doge', []],
    ['withdraw btc 1e9&x=1', ['/withdraw/BTC']],
    ['statement', []]
  ])('%s opens %o', (typed, expected) => {
    expect(hrefs(typed)).toEqual(expected)
  })

  it('says what it opens', () => {
    expect(deedsOf('withdraw btc 0.01')[0]?.label).toBe('Withdraw 0.01 BTC')
    expect(deedsOf('pay rf20', [order])[0]).toMatchObject({ label: 'Pay €956.80', about: 'PTC 1,000, RF20 1477 1349 7808' })
  })
})
