/** The brand, in one place. */
type Brand = {
  name: string
  initials: string
  /** Where the back arrow of the sign-in page leads; none is shown while there is no such site. */
  marketingUrl: string | undefined
}

export const BRAND: Brand = { name: 'CP Wallet', initials: 'CP', marketingUrl: undefined }
