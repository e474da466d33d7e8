/** The side menu (P2P only for customers who can trade), and the bar at the bottom of a phone. */
import { shellTexts } from '#messages/platform/shell.ts'
import { icons } from './icons.ts'

export type NavItem = { label: string; href: string; icon: string; alsoFor?: string[]; forTraders?: true }

export const navigation: NavItem[] = [
  { label: shellTexts.dashboard, href: '/dashboard', icon: icons.dashboard },
  { label: shellTexts.wallet, href: '/token-list', icon: icons.wallet, alsoFor: ['/statement', '/token'] },
  { label: shellTexts.project, href: '/buy-package', icon: icons.project, alsoFor: ['/package-detail'] },
  { label: shellTexts.activity, href: '/activity', icon: icons.activity },
  { label: shellTexts.history, href: '/package-history', icon: icons.history },
  { label: shellTexts.p2p, href: '/p2p', icon: icons.transfer, forTraders: true },
  {
    label: shellTexts.viban,
    href: '/euro',
    icon: icons.bank,
    alsoFor: ['/euro-list', '/euro-withdraw', '/euro-history', '/confirm-euro']
  },
  { label: shellTexts.staking, href: '/staking', icon: icons.staking },
  { label: shellTexts.referral, href: '/referral', icon: icons.referral },
  { label: shellTexts.news, href: '/news', icon: icons.news }
]

export const phoneBar: NavItem[] = [
  { label: shellTexts.home, href: '/dashboard', icon: icons.home },
  { label: shellTexts.wallet, href: '/token-list', icon: icons.wallet, alsoFor: ['/statement', '/token'] },
  { label: shellTexts.buy, href: '/buy-package', icon: icons.plus, alsoFor: ['/package-detail'] },
  { label: shellTexts.activity, href: '/activity', icon: icons.activity, alsoFor: ['/package-history'] },
  { label: shellTexts.profile, href: '/profile', icon: icons.person, alsoFor: ['/referral'] }
]

export function isCurrent({ href, alsoFor }: NavItem, pathname: string): boolean {
  return [href, ...(alsoFor ?? [])].some((start) => pathname === start || pathname.startsWith(`${start}/`))
}
