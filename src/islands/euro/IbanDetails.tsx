import { groupIban } from '#lib/domain/euro/history.ts'
import { OWN_ACCOUNTS_REMARK, SAMPLE_ACCOUNT } from '#lib/domain/euro/sample.ts'
import { euroListTexts as texts } from '#messages/euro/euro.ts'
import { CopyLines } from '../platform/CopyLines.tsx'
import { CopyText } from '../platform/CopyText.tsx'
import { ToastRegion } from '../platform/ToastRegion.tsx'

const LINES = [
  { label: texts.beneficiary, shown: SAMPLE_ACCOUNT.beneficiary, copied: SAMPLE_ACCOUNT.beneficiary },
  { label: texts.iban, shown: <span className="figure">{groupIban(SAMPLE_ACCOUNT.iban)}</span>, copied: SAMPLE_ACCOUNT.iban },
  { label: texts.bic, shown: SAMPLE_ACCOUNT.bic, copied: SAMPLE_ACCOUNT.bic }
]
const ALL = [
  texts.copiedSample,
  ...LINES.map(({ label, copied }) => `${label}: ${copied}`),
  `${texts.remark}: ${OWN_ACCOUNTS_REMARK}`
].join('\n')

/** A copied line says by itself that it is a sample: nobody pays to it by mistake. */
const COPIED_ALONE = LINES.map((line) => ({ ...line, copied: texts.sampleOf(line.copied) }))

/** The account's bank details: buttons to copy each line or all, and a letter with them. */
export function IbanDetails() {
  return (
    <>
      <CopyLines lines={COPIED_ALONE} />
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <CopyText text={ALL} label={texts.all} word={texts.copyAll} />
        <a className="button button-quiet" href="/euro-list/letter" download>
          {texts.letter}
        </a>
      </div>
      <ToastRegion />
    </>
  )
}
