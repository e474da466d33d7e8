/** The side menu: every screen that stands. `icon` is the path of a 24 × 24 outline. */
export type NavItem = { label: string; href: string; icon: string; alsoFor?: string }

export const navigation: NavItem[] = [
  { label: 'Dashboard', href: '/dashboard', icon: 'M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-4H4zM14 4v4h6V4z' },
  {
    label: 'Project',
    href: '/buy-package',
    icon: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5',
    alsoFor: '/package-detail'
  },
  { label: 'Transaction History', href: '/package-history', icon: 'M12 7v5l3 2M21 12a9 9 0 1 1-3-6.7M21 4v4h-4' }
]

export function isCurrent({ href, alsoFor }: NavItem, pathname: string): boolean {
  return [href, alsoFor].some((start) => start && (pathname === start || pathname.startsWith(`${start}/`)))
}
