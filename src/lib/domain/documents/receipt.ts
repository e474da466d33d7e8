/** The verification code of a receipt: 26 characters of 5 bits, without characters that look like others. */
export const RECEIPT_CODE_LENGTH = 26
const CODE = new RegExp(`^[0-9A-HJKMNP-TV-Z]{${RECEIPT_CODE_LENGTH}}$`)

/** Reads a code as people type it: in any case, with spaces or dashes, with O for 0 and I or L for 1. Undefined if it is not a code. */
export function readReceiptCode(text: string): string | undefined {
  const code = text.replace(/[\s-]/g, '').toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
  return CODE.test(code) ? code : undefined
}

/** In groups that can be read out: `ABCDE-FGHJK-…`. */
export function groupReceiptCode(code: string): string {
  return code.match(/.{1,5}/g)?.join('-') ?? code
}
