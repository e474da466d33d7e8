/** What can be done at a balance. */
export const actionsTexts = {
  actions: 'Actions',
  buy: 'Buy',
  deposit: 'Deposit',
  withdraw: 'Withdraw',
  transfer: 'Transfer'
} as const
