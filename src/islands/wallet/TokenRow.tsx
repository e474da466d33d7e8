import type { WalletLine } from '#lib/client/wallet/wallet.ts'
import { isChainToken } from '#lib/domain/chains/chains.ts'
import { hasOrderHistory } from '#lib/domain/wallet/actions.ts'
import { formatCents, formatUnits } from '#lib/format/amount.ts'
import type { View } from '#lib/format/view.ts'
import { walletPageTexts } from '#messages/wallet/walletPage.ts'
import { Cell, Row, RowHead } from '../ui/List.tsx'
import { TokenMark } from '../ui/TokenMark.tsx'
import { useHydrated } from '../ui/useHydrated.ts'

type Props = {
  line: WalletLine
  currency: View['currency']
  isMarkLater: boolean
  /** `action`: the name of an action that the token does not support yet. */
  onNotYet: (action?: string) => void
  onMove: () => void
}

/** A token of the wallet: its balances by kind, and its actions. */
export function TokenRow({ line, currency, isMarkLater, onNotYet, onMove }: Props) {
  const { token, total, available, frozen, bound, canMove, cents } = line
  const { code, name, subName } = token
  const isHydrated = useHydrated()
  const figure = (account: string, units: bigint) => (
    <a href={`/statement/${code}?account=${account}`} className="figure" data-unit={name}>
      <span className="eye">{formatUnits(units, code)}</span>
    </a>
  )
  // A zero balance has no statement to link to.
  const isZero = total === 0n
  const cell = (account: string, units: bigint, className: 'num' | 'num wallet-staked' = 'num') =>
    isZero ? (
      <Cell className={`${className} figure eye`}>{formatUnits(units, code)}</Cell>
    ) : (
      <Cell className={className}>{figure(account, units)}</Cell>
    )
  const staked = bound.find(({ kind }) => kind === 'staked')?.units ?? 0n
  return (
    <Row>
      <RowHead>
        <a className="token-cell" href={`/token/${code}`}>
          <TokenMark code={code} isLater={isMarkLater} />
          <span>
            <b>{name}</b>
            <small>{subName}</small>
          </span>
        </a>
      </RowHead>
      <Cell className="num wallet-total">
        <span>
          {isZero ? <span className="figure eye">{formatUnits(total, code)}</span> : figure('total', total)}
          {cents === undefined ? (
            <small>{walletPageTexts.noPrice}</small>
          ) : (
            <small className="eye">{formatCents(cents, currency)}</small>
          )}
          {bound.map(({ kind, units }) => (
            <small key={kind}>
              {walletPageTexts.bound[kind]} {figure(kind, units)}
            </small>
          ))}
        </span>
      </Cell>
      {cell('available', available)}
      {cell('frozen', frozen)}
      {cell('staked', staked, 'num wallet-staked')}
      <Cell className="acts">
        {isChainToken(code) ? (
          <>
            <a href={`/deposit/${code}`}>{walletPageTexts.deposit}</a>
            <a href={`/withdraw/${code}`}>{walletPageTexts.withdraw}</a>
          </>
        ) : (
          // They only show a toast, which needs JavaScript.
          isHydrated && (
            <>
              <NotYet label={walletPageTexts.deposit} onPress={() => onNotYet(walletPageTexts.deposit)} />
              <NotYet label={walletPageTexts.withdraw} onPress={() => onNotYet(walletPageTexts.withdraw)} />
            </>
          )
        )}
        {hasOrderHistory(code) ? (
          <a href="/package-history">{walletPageTexts.orderHistory}</a>
        ) : (
          isHydrated && <NotYet label={walletPageTexts.orderHistory} onPress={() => onNotYet()} />
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

function NotYet({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <button type="button" onClick={onPress}>
      {label}
    </button>
  )
}
