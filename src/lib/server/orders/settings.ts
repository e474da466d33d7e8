/** Where customers transfer the money for their packages, and what opens those of the promotion. */
import { type Asked, type Environment, FOR_CUSTOMERS, requireAll } from '../platform/config.ts'

export type BankDetails = {
  accountHolder: string
  currency: 'EUR'
  swift: string
  bankName: string
  euroIban: string
  bankAddress: string
}

const SANDBOX_BANK: BankDetails = {
  accountHolder: 'CP Wallet Sandbox GmbH',
  currency: 'EUR',
  swift: 'COBADEFFXXX',
  bankName: 'Sandbox Bank',
  euroIban: 'DE89 3704 0044 0532 0130 00',
  bankAddress: 'Musterstrasse 1, 10115 Berlin, Germany'
}
const SANDBOX_PROMO_CODE = 'ANNIVERSARY'
const REQUIRED = {
  BANK_ACCOUNT_HOLDER: 'who receives the transfers',
  BANK_IBAN: 'the account that receives them',
  BANK_BIC: 'its BIC',
  BANK_NAME: "the bank's name",
  BANK_ADDRESS: "the bank's address"
}

export function readBankDetails(env: Environment, asked: Asked): BankDetails {
  requireAll(env, REQUIRED, asked, FOR_CUSTOMERS)
  if (!asked.production) return SANDBOX_BANK
  return {
    accountHolder: env.BANK_ACCOUNT_HOLDER ?? '',
    currency: 'EUR',
    swift: env.BANK_BIC ?? '',
    bankName: env.BANK_NAME ?? '',
    euroIban: env.BANK_IBAN ?? '',
    bankAddress: env.BANK_ADDRESS ?? ''
  }
}

/** Without one, no package of the promotion is open. */
export function readPromoCode(env: Environment, { production }: Asked): string | undefined {
  return env.PROMO_CODE?.trim() || (production ? undefined : SANDBOX_PROMO_CODE)
}
