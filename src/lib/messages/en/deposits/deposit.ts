/** The page where a customer gets the address to send coins to. Source: spec sections 2 and 9. */
import type { Chain } from '#lib/domain/chains/chains.ts'

const networks: Record<Chain, string> = { bitcoin: 'BTC (Bitcoin)', ethereum: 'ETH (Ethereum ERC20)', cpc: 'CPCx0' }

export const depositTexts = {
  title: 'Deposit',
  back: 'Wallet',
  chooseCrypto: 'Choose crypto',
  network: 'Network',
  networks,
  oneNetwork: (token: string) => `${token} uses one network only.`,
  sendTo: 'Send to this address',
  yourAddress: (token: string) => `Your ${token} address`,
  qr: (token: string) => `QR code of your ${token} address`,
  copyAddress: 'Copy address',
  address: 'Address',
  newAddress: 'New address',
  gettingAddress: 'Getting your address…',
  needsScript: 'Please allow JavaScript on this page to get your address.',
  tryAgain: 'Try again',
  minimum: 'Minimum',
  confirmations: 'Confirmations',
  creditedIn: 'Credited in',
  about: (minutes: number) => `about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
  moreAsked: 'Does your wallet ask for more?',
  accountId: 'Account ID',
  publicKey: 'Public key',
  tips: 'Tips',
  onlyToken: (token: string, network: string) => `Only ${token}, only on ${network}.`,
  onlyTokenAbout: 'Anything else is shown here but not credited.',
  atLeast: (amount: string) => `At least ${amount}.`,
  atLeastAbout: 'Less is kept for you, and credited as soon as your transfers to this address add up to it.',
  noWaiting: 'No need to wait here.',
  noWaitingAbout: 'This page follows your transfer automatically, and so does the deposit list.',
  oldAddresses: 'Old addresses stay yours.',
  oldAddressesAbout: 'We keep watching every one of them.',
  allDeposits: 'All deposits',
  weSee: (seen: number, needed: number) => `We see your transfer: ${seen} of ${needed}`,
  credited: 'Your transfer is credited',
  progress: (seen: number, needed: number) => `${seen} of ${needed} confirmations.`,
  creditedAt: (needed: number, minutes: number) =>
    `Credited at confirmation ${needed}, in about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}. There is nothing for you to do.`,
  inSpot: 'It is in your spot balance.',
  seenAt: 'Seen',
  transaction: 'Transaction'
} as const

/** The list of the deposits. */
export const depositListTexts = {
  caption: 'Your deposits, newest first',
  token: 'Token',
  date: 'Date',
  amount: 'Amount',
  receiver: 'To address',
  transaction: 'Transaction',
  confirmations: 'Confirmations',
  of: (seen: number, needed: number) => `${seen} of ${needed}`,
  status: 'Status',
  unknownToken: 'Unknown token'
} as const
