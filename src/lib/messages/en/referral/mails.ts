import { mail } from '../platform/mailParts.ts'

export const referralMails = {
  rewardBooked: ({ tokens, of, from, link }: { tokens: string; of: string; from: string; link: string }) =>
    mail(`You got a reward of ${tokens}`, [
      `Someone you invited has bought a package. You get 5% of ${of}: ${tokens}.`,
      `You can move it to spot from ${from}. Until then the payment for the package can still be taken back.`,
      { link, label: 'View rewards' }
    ])
}
