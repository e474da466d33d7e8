/** The side menu: every screen that exists. `icon` is the path of a 24 × 24 outline. */
import { shellTexts } from '#lib/messages/en/platform/shell.ts'

export type NavItem = { label: string; href: string; icon: string; alsoFor?: string[] }

export const navigation: NavItem[] = [
  { label: shellTexts.dashboard, href: '/dashboard', icon: 'M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-4H4zM14 4v4h6V4z' },
  {
    label: shellTexts.wallet,
    href: '/token-list',
    icon: 'M4 7.5h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2zM4 7.5L15 4v3.5M16 13.5h.1',
    alsoFor: ['/statement', '/token']
  },
  {
    label: shellTexts.project,
    href: '/buy-package',
    icon: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5',
    alsoFor: ['/package-detail']
  },
  { label: shellTexts.history, href: '/package-history', icon: 'M12 7v5l3 2M21 12a9 9 0 1 1-3-6.7M21 4v4h-4' },
  {
    label: shellTexts.referral,
    href: '/referral',
    icon: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-3.6 2.9-6 6.5-6s6.5 2.4 6.5 6M18 8v6M15 11h6'
  }
]

export function isCurrent({ href, alsoFor }: NavItem, pathname: string): boolean {
  return [href, ...(alsoFor ?? [])].some((start) => pathname === start || pathname.startsWith(`${start}/`))
}
