import type { WalletLine } from '#lib/client/wallet/wallet.ts'
import { hasOrderHistory } from '#lib/domain/wallet/actions.ts'
import { walletPageTexts as texts } from '#messages/wallet/walletPage.ts'
import { RowMenu } from '../ui/RowMenu.tsx'

type Props = {
  line: WalletLine
  anchor: HTMLElement
  onClose: () => void
  onMove: () => void
  onNotYet: () => void
}

/** The further actions of a token: buying, moving, its orders and its lines. */
export default function TokenMenu({ line: { token, total, canMove }, anchor, onClose, onMove, onNotYet }: Props) {
  const { code, name } = token
  const isSold = hasOrderHistory(code)
  const doAnd = (act: () => void) => () => {
    onClose()
    act()
  }
  return (
    <RowMenu label={texts.more(name)} anchor={anchor} onClose={onClose}>
      {isSold && <a href={`/package-detail/${code}`}>{texts.buy(name)}</a>}
      {canMove && (
        <button type="button" onClick={doAnd(onMove)}>
          {texts.transfer}
        </button>
      )}
      {isSold ? (
        <a href="/package-history">{texts.orderHistory}</a>
      ) : (
        <button type="button" onClick={doAnd(onNotYet)}>
          {texts.orderHistory}
        </button>
      )}
      {total > 0n && <a href={`/statement/${code}?account=total`}>{texts.statement}</a>}
    </RowMenu>
  )
}
