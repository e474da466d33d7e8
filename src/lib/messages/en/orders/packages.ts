/** The projects and their packages, up to the preview. Source: spec sections 2 and 5. */
export const packagesTexts = {
  title: 'Project',
  all: 'All Projects',
  aboutCpc: 'The coin of the project: hold it, send it, trade it with others.',
  aboutPtc: 'The project token, with staking of 12 or 24 months if you like.',
  tokenPrice: 'Token price',
  packagesFrom: 'Packages from',
  view: 'View Project',
  viewOf: (type: string) => `View Project ${type}`,

  buy: (type: string) => `Buy ${type}`,
  what: 'packages',
  noPrices: 'their prices cannot be had at the moment.',
  tryAgain: 'Try again',
  totalAmount: 'Total Amount',
  withFee: 'with 4% fee',
  amountOf: (type: string) => `${type} Amount`,
  staking: 'Staking',
  noStaking: 'No Staking',
  stakingTerm: (months: number) => `Staking ${months} Months`,
  buyNow: 'Buy Now',
  buyNowOf: (name: string) => `Buy Now ${name}`,

  preview: (name: string) => `Preview ${name}`,
  notOnSale: 'Not on sale',
  notOnSaleTitle: 'This package is not on sale at the moment.',
  notOnSaleAbout: 'Packages belong to a release. Please choose one of the current release.',
  seePackages: (type: string) => `See the ${type} packages`
} as const
