import { mail } from '../platform/mailParts.ts'

export const documentsMails = {
  statementReady: ({ period, link }: { period: string; link: string }) =>
    mail(`Your statement ${period} is ready`, [
      'It shows your holdings at the start and end of the quarter and every movement, as a PDF and as a spreadsheet file.',
      'You can find it on your profile. We never send attachments.',
      { link, label: 'View documents' }
    ]),
  taxReportReady: ({ period, link }: { period: string; link: string }) =>
    mail(`Your tax report ${period} is ready`, [
      'It lists your acquisitions, rewards and disposals for the year with their values.',
      'You can find it on your profile. We never send attachments.',
      { link, label: 'View documents' }
    ])
}
