import { mail } from '../platform/mailParts.ts'

export const documentsMails = {
  statementReady: ({ period, link }: { period: string; link: string }) =>
    mail(`Your statement ${period} is ready`, [
      'It has your holdings at the start and the end of the quarter, and every movement, as PDF and as a file for spreadsheets.',
      'You find it on your profile. We send no attachments.',
      { link, label: 'View documents' }
    ]),
  taxReportReady: ({ period, link }: { period: string; link: string }) =>
    mail(`Your tax report ${period} is ready`, [
      'It has your acquisitions, rewards and disposals of the year with their values.',
      'You find it on your profile. We send no attachments.',
      { link, label: 'View documents' }
    ])
}
