/** The brand, in one place. */
export const BRAND = { name: 'CP Wallet', initials: 'CP' } as const
