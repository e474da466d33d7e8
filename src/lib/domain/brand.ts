/** The brand, in one place. */
type Brand = {
  name: string
  initials: string
  /** The stores' front pages until the apps have addresses of their own. */
  apps: { id: string; label: string; url: string }[]
}

export const BRAND: Brand = {
  name: 'CP Wallet',
  initials: 'CP',
  apps: [
    { id: 'app-store', label: 'App Store', url: 'https://apps.apple.com/' },
    { id: 'play-store', label: 'Play Store', url: 'https://play.google.com/store' }
  ]
}
