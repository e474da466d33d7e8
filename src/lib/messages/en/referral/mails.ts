import { mail } from '../platform/mailParts.ts'

export const referralMails = {
  rewardBooked: ({ tokens, of, link }: { tokens: string; of: string; link: string }) =>
    mail(`You got a reward of ${tokens}`, [
      `Someone you invited has bought a package. You get 5% of ${of}: ${tokens}.`,
      'It is yours now. Move it to spot whenever you like.',
      { link, label: 'View rewards' }
    ])
}
