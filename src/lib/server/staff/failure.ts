import type { DeskErrorCode, DeskErrorParams } from '#lib/contract/desk/errors.ts'

/** A refusal that a member of staff reads, by its code. `fields`: the sentence of each wrong field. */
export class DeskError extends Error {
  readonly code: DeskErrorCode
  readonly params: DeskErrorParams
  readonly fields: Record<string, string> | undefined

  constructor(code: DeskErrorCode, { params = {}, fields }: { params?: DeskErrorParams; fields?: Record<string, string> } = {}) {
    super(code)
    this.name = 'DeskError'
    this.code = code
    this.params = params
    this.fields = fields
  }
}
