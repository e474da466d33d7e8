import { useStore } from '@nanostores/react'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { seedQuery } from '#lib/client/platform/queries.ts'
import { createMoveFunds } from '#lib/client/wallet/moveFunds.ts'
import { balances as balancesStore, supportedTokens as tokensStore } from '#lib/client/wallet/queries.ts'
import { createWallet, filterLines, type WalletLine, walletLines } from '#lib/client/wallet/wallet.ts'
import type { Balances, SupportedTokens } from '#lib/contract/types.ts'
import { pricesIn } from '#lib/domain/rates/prices.ts'
import { movableUnits, PARTS, portfolioOf } from '#lib/domain/wallet/portfolio.ts'
import { formatCents } from '#lib/format/amount.ts'
import { hasPrices, priceNote } from '#lib/format/rates/prices.ts'
import type { View } from '#lib/format/view.ts'
import { partTexts } from '#messages/wallet/parts.ts'
import { walletTexts } from '#messages/wallet/wallet.ts'
import { walletPageTexts } from '#messages/wallet/walletPage.ts'
import { lazyPart } from '../platform/lazyPart.tsx'
import { ToastRegion } from '../platform/ToastRegion.tsx'
import { useQuery } from '../platform/useQuery.ts'
import { Amount } from '../ui/Amount.tsx'
import { Explain } from '../ui/Explain.tsx'
import { type BoundColumn, TokenRow } from './TokenRow.tsx'

const MoveFunds = lazyPart(() => import('./MoveFunds.tsx'))
const TokenMenu = lazyPart(() => import('./TokenMenu.tsx'))
const BOUND: BoundColumn[] = ['outgoing', 'staked', 'locked', 'reward']

type Props = {
  /** Only the balances of tokens that the customer holds; a missing one counts as zero. */
  balances: Balances
  tokens: SupportedTokens
  view: View
  /** The URL asks for every token. */
  showsAll: boolean
  /** The tokens whose mark is in the page's HTML. */
  marks: string[]
  /** The currency switch, and the actions at the total. */
  currencies?: ReactNode
  actions?: ReactNode
}

export function Wallet(first: Props) {
  useState(() => {
    seedQuery('getBalance', first.balances)
    if (hasPrices(first.tokens)) seedQuery('getSupportedTokens', first.tokens)
  })
  const { currency, timeZone } = first.view
  const balances = useQuery(balancesStore, first.balances)
  const tokens = useQuery(tokensStore, first.tokens)
  const [screen] = useState(() => createWallet(first.showsAll))
  const [move] = useState(createMoveFunds)
  const [hasMoved, setHasMoved] = useState(false)
  const [more, setMore] = useState<{ line: WalletLine; anchor: HTMLElement }>()
  const state = useStore(screen.state)
  const isMoving = useStore(move.state, { keys: ['currency'] }).currency !== undefined
  const prices = pricesIn(currency, tokens)
  const all = walletLines(balances, prices)
  const lines = filterLines(all, state)
  const columns = BOUND.filter((kind) => all.some(({ bound }) => bound.some((part) => part.kind === kind)))
  const withBalance = all.filter(({ total }) => total > 0n).length
  const { totalCents, parts } = portfolioOf(balances, prices)
  const search = useRef<HTMLInputElement>(null)
  const money = (cents: bigint) => (hasPrices(tokens) ? formatCents(cents, currency) : '–')

  useEffect(() => {
    if (isMoving) setHasMoved(true)
  }, [isMoving])
  useEffect(() => move.update(balances), [move, balances])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for a link from another page
  useEffect(() => {
    const url = new URL(window.location.href)
    const code = url.searchParams.get('move') ?? ''
    const asked = Object.hasOwn(balances, code) ? balances[code] : undefined
    if (!asked || movableUnits(asked) === 0n) return
    const from = url.searchParams.get('from')
    for (const name of ['move', 'from']) url.searchParams.delete(name)
    window.history.replaceState(window.history.state, '', url)
    move.open(code, asked, from === 'reward' ? from : undefined)
  }, [])
  // Take over text typed before hydration.
  useEffect(() => {
    if (search.current?.value) screen.search(search.current.value)
  }, [screen])

  return (
    <>
      <section className="card roomy" aria-labelledby="wallet-total">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
          <div>
            <div className="flex flex-wrap items-center gap-x-4">
              <h2 id="wallet-total" className="text-sm text-muted">
                {walletPageTexts.total(currency)}
              </h2>
              {first.currencies}
            </div>
            <p aria-live="polite">
              <Amount isPrivate headline value={money(totalCents)} className="text-3xl font-semibold" />
            </p>
          </div>
          {first.actions}
        </div>
        <dl className="wallet-sums">
          {PARTS.filter((name) => name === 'available' || parts[name] > 0n).map((name) => (
            <div key={name}>
              <dt className="text-sm text-muted" data-kind={name}>
                {partTexts[name]}
              </dt>
              <dd>
                <Amount isPrivate value={money(parts[name])} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <input
        ref={search}
        type="search"
        aria-label={walletPageTexts.search}
        placeholder={walletPageTexts.searchAll(all.length)}
        className="input my-4 max-w-96"
        value={state.search}
        onChange={(event) => screen.search(event.target.value)}
      />
      <p role="status" className="sr-only">
        {walletPageTexts.shown(lines.length)}
      </p>
      {lines.length === 0 ? (
        <div className="card p-8 text-center">
          <p className="font-semibold">{walletPageTexts.noMatch}</p>
          <p className="mt-1 text-muted">{walletPageTexts.searchElse}</p>
        </div>
      ) : (
        <div className="card">
          {/* biome-ignore lint/a11y/noRedundantRoles: on a phone CSS turns its rows into cards */}
          <table role="table" className="list wallet">
            <caption className="sr-only">{walletPageTexts.caption}</caption>
            <thead>
              <tr>
                <th scope="col">{walletPageTexts.crypto}</th>
                <th scope="col" className="num">
                  {walletPageTexts.totalBalance}
                </th>
                <th scope="col" className="num">
                  <Explain label={walletPageTexts.availableBalance} text={walletTexts.available} />
                </th>
                <th scope="col" className="num">
                  <Explain label={walletPageTexts.frozenBalance} text={walletTexts.frozen} />
                </th>
                {columns.map((column) => (
                  <th key={column} scope="col" className="num bound">
                    {partTexts[column]}
                  </th>
                ))}
                <th scope="col">{walletPageTexts.action}</th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <TokenRow
                  key={line.token.code}
                  line={line}
                  currency={currency}
                  isMarkLater={!first.marks.includes(line.token.code)}
                  columns={columns}
                  onNotYet={screen.notYet}
                  onMore={(anchor) => setMore({ line, anchor })}
                />
              ))}
            </tbody>
            {state.search === '' && withBalance > 1 && (
              <tfoot>
                <tr>
                  <th scope="row">{walletPageTexts.allTokens(all.length)}</th>
                  {[totalCents, parts.available, parts.frozen].map((cents, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the columns never move
                    <td key={index} className="num">
                      <span className="figure eye">{money(cents)}</span>
                    </td>
                  ))}
                  {columns.map((column) => (
                    <td key={column} className="num bound">
                      <span className="figure eye">{money(parts[column])}</span>
                    </td>
                  ))}
                  <td />
                </tr>
              </tfoot>
            )}
          </table>
          {!state.showsAll && state.search === '' && (
            <p className="border-t border-line text-center">
              <a
                className="link inline-flex min-h-13 items-center px-5 no-underline"
                href="/token-list?all"
                onClick={(event) => {
                  event.preventDefault()
                  screen.showAll()
                }}
              >
                {walletPageTexts.showAll(all.length - withBalance)}
              </a>
            </p>
          )}
        </div>
      )}
      <p className="mt-4 text-sm text-muted">
        {priceNote(tokens, timeZone)}. {walletPageTexts.largestFirst}{' '}
        <span className="max-lg:hidden">{walletPageTexts.pressFigure}</span>
      </p>
      {more && (
        <Suspense>
          <TokenMenu
            line={more.line}
            anchor={more.anchor}
            onClose={() => setMore(undefined)}
            onMove={() => {
              const { code } = more.line.token
              const balance = balances[code]
              if (balance) move.open(code, balance)
            }}
            onNotYet={() => screen.notYet()}
          />
        </Suspense>
      )}
      {hasMoved && (
        <Suspense>
          <MoveFunds screen={move} />
        </Suspense>
      )}
      <ToastRegion />
    </>
  )
}
