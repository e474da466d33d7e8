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
  share: 'Share',
  saveQr: 'Save QR',
  verified: 'You are verified.',
  verifiedAbout: 'You can withdraw and trade what you deposit.',
  beforeYouSend: 'Before you send',
  verifyFirst: 'Verify your identity first',
  verifyFirstAbout: 'You can deposit now. Withdrawing and P2P open once you are verified: about 5 minutes, with your ID at hand.',
  newAddress: 'New address',
  gettingAddress: 'Getting your address…',
  needsScript: 'Please allow JavaScript on this page to get your address.',
  tryAgain: 'Try again',
  minimum: 'Smallest deposit',
  confirmations: 'Confirmations',
  creditedAfter: 'Credited after',
  after: (blocks: number, minutes: number) =>
    `${blocks} ${blocks === 1 ? 'confirmation' : 'confirmations'}, about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
  moreAsked: 'Does your wallet ask for more?',
  accountId: 'Account ID',
  publicKey: 'Public key',
  tips: 'Good to know',
  stays: 'The address stays yours.',
  staysAbout: 'You can use it again.',
  mail: 'We write to you',
  mailAbout: 'when we see a transfer and when it is credited.',
  sender: 'Above €1,000.00',
  senderAbout: 'we ask who sent it.',
  onlyToken: (token: string, network: string) => `Only ${token}, only on ${network}.`,
  onlyTokenAbout: 'Anything else is shown here but not credited.',
  atLeastAbout: (least: string) =>
    `Less than ${least} is kept for you, and credited as soon as your transfers to this address add up to it.`,
  noWaiting: 'No need to wait here.',
  noWaitingAbout: 'This page follows your transfer automatically, and so does the deposit list.',
  oldAddressesAbout: 'Old addresses too: we keep watching every one of them.',
  transfers: 'Your transfers',
  noTransfers: 'What you send will appear here.',
  allDeposits: 'All deposits',
  weSee: (seen: number, needed: number) => `We see your transfer: ${seen} of ${needed}`,
  credited: 'Your transfer is credited',
  progress: (seen: number, needed: number) => `${seen} of ${needed} confirmations.`,
  creditedAt: (needed: number, minutes: number) =>
    `Credited at confirmation ${needed}, in about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}. There is nothing for you to do.`,
  seeIt: (token: string) => `See your ${token}`,
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
