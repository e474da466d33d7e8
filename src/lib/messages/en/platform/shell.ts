/** The frame of the signed-in pages: the menu, the dialog that logs out. Source: spec section 2. */
export const shellTexts = {
  skip: 'Skip to content',
  menu: 'Menu',
  sideMenu: 'Side menu',
  main: 'Main',
  dashboard: 'Dashboard',
  wallet: 'Wallet',
  project: 'Project',
  history: 'Transaction History',
  referral: 'Referral',
  profile: 'Profile',
  profileOf: 'Profile:',
  logOut: 'Log out',
  collapseMenu: 'Collapse menu',
  logOutTitle: 'Are you sure that you want to log out?',
  stay: 'No, I want to stay',
  confirm: 'Confirm'
} as const
