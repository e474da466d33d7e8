/** Outlines of 24 × 24, in the text colour. */
export const ICONS = {
  overview: 'M4 11l8-7 8 7M6 9.5V20h12V9.5',
  payments: 'M12 4v15M6 13l6 6 6-6',
  withdrawals: 'M12 20V5M6 11l6-6 6 6',
  approvals: 'M2.5 12.5l4 4 8-9M11.5 15.5l1 1 8.5-9',
  customers:
    'M9 12a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-3.6 2.9-6 6.5-6s6.5 2.4 6.5 6M16 5.3a3.5 3.5 0 0 1 0 6.4M18 14.4c2.1.8 3.5 2.8 3.5 5.6',
  support: 'M4 6h16v12H4zM4 7.500l8 6 8-6',
  house: 'M4 20V9l8-5 8 5v11M9 20v-6h6v6',
  reports: 'M6 3h9l4 4v14H6zM14.5 3v4.500H19M9 12h7M9 16h7',
  audit: 'M5 5h14M5 10h14M5 15h9M5 20h6',
  people: 'M12 3l8 3v6c0 4.5-3.2 7.8-8 9-4.8-1.2-8-4.5-8-9V6z',
  key: 'M8 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 12h9M17.5 12v3.5M20.5 12v2.5',
  alert: 'M12 4L2.5 20h19zM12 10v4.5M12 17.2v.1',
  ok: 'M5 12.5l4.5 4.500L19 7.5',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM5 20c0-3.9 3.1-6.5 7-6.500s7 2.6 7 6.5'
} as const
export type IconName = keyof typeof ICONS
