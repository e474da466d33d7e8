import { actionsTexts as texts } from '#messages/wallet/actions.ts'
import { icons } from '../platform/icons.ts'

/** The actions at the total. `withdraws`, `moves`: the token that the link opens; `moves` is undefined if there is nothing to move. */
export function actionsAtTotal({ withdraws, moves }: { withdraws: string; moves: string | undefined }) {
  return [
    { label: texts.buy, href: '/buy-package', icon: icons.plus },
    { label: texts.deposit, href: '/deposit/USDC', icon: icons.download },
    { label: texts.withdraw, href: `/withdraw/${withdraws}`, icon: icons.upload },
    ...(moves ? [{ label: texts.transfer, href: `/token-list?move=${moves}`, icon: icons.transfer }] : [])
  ]
}
