/** The side menu in its two groups (P2P only for customers who can trade), and the bar at the bottom of a phone. */
import { shellTexts } from '#messages/platform/shell.ts'
import { icons } from './icons.ts'

export type NavItem = { label: string; href: string; icon: string; alsoFor?: string[]; forTraders?: true; isSoon?: true }

const wallet = ['/statement', '/token', '/deposit', '/withdraw', '/withdraw-history']

/** What customers do every day. */
export const navigation: NavItem[] = [
  { label: shellTexts.dashboard, href: '/dashboard', icon: icons.dashboard },
  { label: shellTexts.wallet, href: '/token-list', icon: icons.wallet, alsoFor: wallet },
  { label: shellTexts.project, href: '/buy-package', icon: icons.project, alsoFor: ['/package-detail'] },
  { label: shellTexts.activity, href: '/activity', icon: icons.activity },
  { label: shellTexts.staking, href: '/staking', icon: icons.staking, alsoFor: ['/rewards'] }
]

/** The others, quieter, below a line. */
export const quietNavigation: NavItem[] = [
  { label: shellTexts.p2p, href: '/p2p', icon: icons.transfer, forTraders: true },
  { label: shellTexts.referral, href: '/referral', icon: icons.referral },
  { label: shellTexts.news, href: '/news', icon: icons.news },
  {
    label: shellTexts.viban,
    href: '/euro',
    icon: icons.bank,
    alsoFor: ['/euro-list', '/euro-withdraw', '/euro-history', '/confirm-euro'],
    isSoon: true
  },
  { label: shellTexts.history, href: '/package-history', icon: icons.history }
]

/** Every page of the menus lights one of the five. */
export const phoneBar: NavItem[] = [
  { label: shellTexts.home, href: '/dashboard', icon: icons.home, alsoFor: ['/news', '/notices', '/help'] },
  { label: shellTexts.wallet, href: '/token-list', icon: icons.wallet, alsoFor: [...wallet, '/p2p', '/staking', '/rewards'] },
  { label: shellTexts.buy, href: '/buy-package', icon: icons.plus, alsoFor: ['/package-detail'] },
  { label: shellTexts.activity, href: '/activity', icon: icons.activity, alsoFor: ['/package-history'] },
  {
    label: shellTexts.profile,
    href: '/profile',
    icon: icons.person,
    alsoFor: ['/referral', '/euro', '/euro-list', '/euro-withdraw', '/euro-history', '/confirm-euro']
  }
]

export function isCurrent({ href, alsoFor }: NavItem, pathname: string): boolean {
  return [href, ...(alsoFor ?? [])].some((start) => pathname === start || pathname.startsWith(`${start}/`))
}
