import type { WalletLine } from '#lib/client/wallet/wallet.ts'
import { isChainToken } from '#lib/domain/chains/chains.ts'
import { formatCents, formatUnits } from '#lib/format/amount.ts'
import type { View } from '#lib/format/view.ts'
import { partTexts } from '#messages/wallet/parts.ts'
import { walletPageTexts } from '#messages/wallet/walletPage.ts'
import { Icon } from '../ui/Icon.tsx'
import { Cell, Row, RowHead } from '../ui/List.tsx'
import { TokenMark } from '../ui/TokenMark.tsx'
import { useHydrated } from '../ui/useHydrated.ts'

export type BoundColumn = WalletLine['bound'][number]['kind']
type Props = {
  line: WalletLine
  /** The columns of bound parts that hold something of any token. */
  columns: BoundColumn[]
  currency: View['currency']
  isMarkLater: boolean
  /** `action`: the name of an action that the token does not support yet. */
  onNotYet: (action: string) => void
  onMore: (button: HTMLElement) => void
}

/** The page draws each once: a table of all tokens has dozens. */
const DOWN = <use href="#icon-down" />
const UP = <use href="#icon-up" />

/** A figure with the specification's three decimals, the fraction quieter. */
function Units({ units, code }: { units: bigint; code: string }) {
  const [whole, fraction] = formatUnits(units, code).split('.')
  return (
    <span className="eye">
      {whole}
      <span className="fraction">.{fraction}</span>
    </span>
  )
}

/** A token of the wallet: its balances by kind, and its actions. */
export function TokenRow({ line, columns, currency, isMarkLater, onNotYet, onMore }: Props) {
  const { token, total, available, frozen, bound, cents } = line
  const { code, name, subName } = token
  const isHydrated = useHydrated()
  const figure = (account: string, units: bigint) => (
    <a href={`/statement/${code}?account=${account}`} className="figure" data-unit={name}>
      <Units units={units} code={code} />
    </a>
  )
  // A phone shows none of these cells, so that they need no role; CSS writes a dash where there is nothing: the page is a fifth smaller.
  const cell = (account: string, units: bigint, className: 'num' | 'num bound' = 'num') => (
    <td key={account} className={className}>
      {units === 0n ? null : figure(account, units)}
    </td>
  )
  const unitsOf = (column: BoundColumn) => bound.find(({ kind }) => kind === column)?.units ?? 0n
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
      <Cell className={total === 0n ? 'num total eye' : 'num total'}>
        <span>
          {total === 0n
            ? // A zero balance has no statement to link to.
              formatUnits(total, code)
            : figure('total', total)}
          {cents === undefined ? (
            <small>{walletPageTexts.noPrice}</small>
          ) : (
            <small className={total === 0n ? undefined : 'eye'}>{formatCents(cents, currency)}</small>
          )}
          {bound.map(({ kind, units }) => (
            <small key={kind} className="wallet-narrow">
              {partTexts[kind]} {figure(kind, units)}
            </small>
          ))}
        </span>
      </Cell>
      {cell('available', available)}
      {cell('frozen', frozen)}
      {columns.map((column) => cell(column, unitsOf(column), 'num bound'))}
      <td className="acts">
        {isChainToken(code) ? (
          <>
            <a href={`/deposit/${code}`} aria-label={`${walletPageTexts.deposit} ${name}`}>
              <Icon>{DOWN}</Icon>
              {walletPageTexts.deposit}
            </a>
            <a href={`/withdraw/${code}`} aria-label={`${walletPageTexts.withdraw} ${name}`}>
              <Icon>{UP}</Icon>
              {walletPageTexts.withdraw}
            </a>
          </>
        ) : (
          // They only show a toast, which needs JavaScript.
          isHydrated && (
            <>
              <button type="button" className="wallet-soon" onClick={() => onNotYet(walletPageTexts.deposit)}>
                <Icon>{DOWN}</Icon>
                {walletPageTexts.deposit}
              </button>
              <button type="button" className="wallet-soon" onClick={() => onNotYet(walletPageTexts.withdraw)}>
                <Icon>{UP}</Icon>
                {walletPageTexts.withdraw}
              </button>
            </>
          )
        )}
        {isHydrated && (
          <button
            type="button"
            aria-haspopup="true"
            aria-label={walletPageTexts.more(name)}
            onClick={(event) => onMore(event.currentTarget)}
          >
            <Icon>
              <path d="M5.5 12h.1M12 12h.1M18.5 12h.1" />
            </Icon>
          </button>
        )}
      </td>
    </Row>
  )
}
