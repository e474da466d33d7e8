/**
 * Writes transfers for the bank: ISO 20022 pain.001.001.09 as the European Payments Council uses it (EPC132-08), SEPA credit transfers in
 * euro. No postal address: a bank takes a structured one or none. Each transfer is booked by itself, so that the statement names each.
 */
import { XMLBuilder } from 'fast-xml-parser'
import { toDecimal, writeDecimal } from '#lib/domain/money/decimal.ts'
import { plainIban, sepaName, sepaText } from '#lib/domain/payments/sepa.ts'
import type { BankDetails } from '../../orders/index.ts'
import type { BankTransfer, TransferFile } from '../port.ts'

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09'
const MOST_TEXT = 140

const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', format: true, indentBy: '  ' })

const euros = (cents: bigint) => writeDecimal(toDecimal(cents, 2))

/** Throws a RangeError if there is nothing to pay. */
export function writePain({ messageId, madeAt, on, transfers }: TransferFile, details: BankDetails): string {
  if (transfers.length === 0) throw new RangeError('A file without a transfer')
  const sum = euros(transfers.reduce((total, { amountCents }) => total + amountCents, 0n))
  const debtor = { Nm: sepaName(details.accountHolder) }
  const content = {
    GrpHdr: {
      MsgId: messageId,
      CreDtTm: `${madeAt.toISOString().slice(0, 19)}Z`,
      NbOfTxs: transfers.length,
      CtrlSum: sum,
      InitgPty: debtor
    },
    PmtInf: {
      PmtInfId: messageId,
      PmtMtd: 'TRF',
      BtchBookg: false,
      NbOfTxs: transfers.length,
      CtrlSum: sum,
      PmtTpInf: { SvcLvl: { Cd: 'SEPA' } },
      ReqdExctnDt: { Dt: on },
      Dbtr: debtor,
      DbtrAcct: { Id: { IBAN: plainIban(details.euroIban) } },
      DbtrAgt: { FinInstnId: details.swift ? { BICFI: details.swift } : { Othr: { Id: 'NOTPROVIDED' } } },
      ChrgBr: 'SLEV',
      CdtTrfTxInf: transfers.map(transferOf)
    }
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build({ Document: { '@xmlns': NAMESPACE, CstmrCdtTrfInitn: content } })}`
}

function transferOf({ endToEndId, amountCents, name, iban, text }: BankTransfer) {
  return {
    PmtId: { EndToEndId: endToEndId },
    Amt: { InstdAmt: { '@Ccy': 'EUR', '#text': euros(amountCents) } },
    Cdtr: { Nm: sepaName(name) },
    CdtrAcct: { Id: { IBAN: plainIban(iban) } },
    RmtInf: { Ustrd: sepaText(text).slice(0, MOST_TEXT).trim() }
  }
}
