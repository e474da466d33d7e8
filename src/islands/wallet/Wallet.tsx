import { useStore } from '@nanostores/react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { seedQuery } from '#lib/client/platform/queries.ts'
import { createMoveFunds } from '#lib/client/wallet/moveFunds.ts'
import { balances as balancesStore, supportedTokens as tokensStore } from '#lib/client/wallet/queries.ts'
import { createWallet, filterLines, type WalletLine, walletLines } from '#lib/client/wallet/wallet.ts'
import type { Balances, SupportedTokens } from '#lib/contract/types.ts'
import { hasOrderHistory } from '#lib/domain/wallet/actions.ts'
import { movableUnits, portfolioOf } from '#lib/domain/wallet/portfolio.ts'
import { formatUnits, formatUsdCents } from '#lib/format/amount.ts'
import { hasPrices, priceNote } from '#lib/format/prices.ts'
import { walletTexts } from '#lib/messages/en/wallet/wallet.ts'
import { walletPageTexts } from '#lib/messages/en/wallet/walletPage.ts'
import { lazyPart } from '../platform/lazyPart.tsx'
import { Notices } from '../platform/Notices.tsx'
import { useQuery } from '../platform/useQuery.ts'
import { Amount } from '../ui/Amount.tsx'
import { Explain } from '../ui/Explain.tsx'
import { Cell, Row, RowHead } from '../ui/List.tsx'
import { TokenMark } from '../ui/TokenMark.tsx'

const MoveFunds = lazyPart(() => import('./MoveFunds.tsx'))

type Screen = ReturnType<typeof createWallet>
type Props = {
  /** Held balances only; a missing one counts as zero. */
  balances: Balances
  tokens: SupportedTokens
}

export function Wallet(first: Props) {
  useState(() => {
    seedQuery('getBalance', first.balances)
    if (hasPrices(first.tokens)) seedQuery('getSupportedTokens', first.tokens)
  })
  const balances = useQuery(balancesStore, first.balances)
  const tokens = useQuery(tokensStore, first.tokens)
  const [screen] = useState(createWallet)
  const [move] = useState(createMoveFunds)
  const [hasMoved, setHasMoved] = useState(false)
  const state = useStore(screen.state)
  const isMoving = useStore(move.state, { keys: ['currency'] }).currency !== undefined
  const all = walletLines(balances, tokens.prices)
  const lines = filterLines(all, state)
  const { totalCents } = portfolioOf(balances, tokens.prices)
  const search = useRef<HTMLInputElement>(null)
  const hideZero = useRef<HTMLInputElement>(null)

  useEffect(() => {
    if (isMoving) setHasMoved(true)
  }, [isMoving])
  useEffect(() => move.update(balances), [move, balances])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the link of another page
  useEffect(() => {
    const url = new URL(window.location.href)
    const code = url.searchParams.get('move') ?? ''
    const asked = Object.hasOwn(balances, code) ? balances[code] : undefined
    if (!asked || movableUnits(asked) === 0n) return
    const from = url.searchParams.get('from')
    for (const name of ['move', 'from']) url.searchParams.delete(name)
    window.history.replaceState(window.history.state, '', url)
    move.open(asked, from === 'reward' ? from : undefined)
  }, [])
  // Take over what was typed and ticked before hydration.
  useEffect(() => {
    if (search.current?.value) screen.search(search.current.value)
    if (hideZero.current?.checked) screen.hideZero(true)
  }, [screen])

  return (
    <>
      <section className="hero p-6 sm:p-8" aria-labelledby="wallet-total">
        <h2 id="wallet-total" className="text-hero-muted">
          {walletPageTexts.total}
        </h2>
        <p className="mt-1" aria-live="polite">
          <Amount value={hasPrices(tokens) ? formatUsdCents(totalCents) : '–'} className="text-figure font-semibold" />
        </p>
      </section>
      <div className="mt-6 mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <input
          ref={search}
          type="search"
          aria-label={walletPageTexts.search}
          placeholder={walletPageTexts.search}
          className="input max-w-80"
          value={state.search}
          onChange={(event) => screen.search(event.target.value)}
        />
        <label className="flex min-h-11 items-center gap-3">
          <input
            ref={hideZero}
            type="checkbox"
            className="check"
            checked={state.hidesZero}
            onChange={(event) => screen.hideZero(event.target.checked)}
          />
          {walletPageTexts.hideZero}
        </label>
      </div>
      <p role="status" className="sr-only">
        {walletPageTexts.shown(lines.length)}
      </p>
      {/* The heads of the columns are not there on a phone. */}
      <p className="mb-3 flex flex-wrap gap-x-6 text-sm text-muted lg:hidden">
        <Explain label={walletPageTexts.availableBalance} text={walletTexts.available} />
        <Explain label={walletPageTexts.frozenBalance} text={walletTexts.frozen} />
      </p>
      {lines.length === 0 ? (
        <div className="card p-8 text-center">
          <p className="font-semibold">{walletPageTexts.noMatch}</p>
          <p className="mt-1 text-muted">{state.hidesZero ? walletPageTexts.showZeroOrSearchElse : walletPageTexts.searchElse}</p>
        </div>
      ) : (
        <div className="card">
          {/* biome-ignore lint/a11y/noRedundantRoles: on a phone CSS makes cards of its rows */}
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
                <th scope="col">{walletPageTexts.action}</th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <TokenRow
                  key={line.token.code}
                  line={line}
                  screen={screen}
                  onMove={() => {
                    const balance = balances[line.token.code]
                    if (balance) move.open(balance)
                  }}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p className="mt-4 text-sm text-muted">
        {priceNote(tokens)}. {walletPageTexts.pressFigure}
      </p>
      {hasMoved && (
        <Suspense>
          <MoveFunds screen={move} />
        </Suspense>
      )}
      <Notices />
    </>
  )
}

type RowProps = { line: WalletLine; screen: Screen; onMove: () => void }

function TokenRow({ line: { token, total, available, frozen, bound, canMove, cents }, screen, onMove }: RowProps) {
  const { code, name, subName } = token
  const figure = (account: string, units: bigint) => (
    <a href={`/statement/${code}?account=${account}`} className="figure">
      {formatUnits(units, code)}
    </a>
  )
  return (
    <Row>
      <RowHead>
        <a className="flex min-h-11 items-center gap-3" href={`/token/${code}`}>
          <TokenMark code={code} />
          <span>
            <b>{name}</b>
            <small>{subName}</small>
          </span>
        </a>
      </RowHead>
      <Cell className="num">
        <span>
          {figure('total', total)}
          <small>{cents === undefined ? walletPageTexts.noPrice : `≈ ${formatUsdCents(cents)}`}</small>
          {bound.map(({ kind, units }) => (
            <small key={kind}>
              {walletPageTexts.bound[kind]} {figure(kind, units)}
            </small>
          ))}
        </span>
      </Cell>
      <Cell className="num">{figure('available', available)}</Cell>
      <Cell className="num">{figure('frozen', frozen)}</Cell>
      <Cell className="acts">
        {hasOrderHistory(code) ? (
          <a href="/package-history">{walletPageTexts.orderHistory}</a>
        ) : (
          <button type="button" onClick={screen.notYet}>
            {walletPageTexts.orderHistory}
          </button>
        )}
        {canMove && (
          <button type="button" onClick={onMove} aria-label={walletPageTexts.transferToken(name)}>
            {walletPageTexts.transfer}
          </button>
        )}
      </Cell>
    </Row>
  )
}
