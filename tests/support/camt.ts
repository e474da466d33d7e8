/** Small camt.053 bank statements for tests. */
export const OUR_IBAN = 'DE89 3704 0044 0532 0130 00'

export type NtryFacts = {
  amount?: string
  currency?: string
  direction?: 'CRDT' | 'DBIT'
  ref?: string
  bookedOn?: string
  text?: string
  inner?: string
}

export function ntry({
  amount = '956.80',
  currency = 'EUR',
  direction = 'CRDT',
  ref,
  bookedOn = '2026-11-21',
  text,
  inner = ''
}: NtryFacts = {}): string {
  const details = text === undefined ? '' : `<NtryDtls><TxDtls><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls>`
  const reference = ref === undefined ? '' : `<AcctSvcrRef>${ref}</AcctSvcrRef>`
  return `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${bookedOn}</Dt></BookgDt>${reference}${details}${inner}</Ntry>`
}

export function camt(entries: string[], { id = 'S-1', iban = OUR_IBAN, balances = '' } = {}): string {
  return `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>${id}</Id><Acct><Id><IBAN>${iban.replaceAll(' ', '')}</IBAN></Id></Acct>${balances}${entries.join('')}</Stmt></BkToCstmrStmt></Document>`
}

export function balance(code: 'OPBD' | 'CLBD', amount: string): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`
}
