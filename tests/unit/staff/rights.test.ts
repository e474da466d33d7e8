import { describe, expect, it } from 'vitest'
import { areRolesRight, RIGHT_NAMES, RIGHTS, ROLES, rightsOf } from '#lib/domain/staff/rights.ts'

const MONEY = ['approve_withdrawal', 'reject_withdrawal'] as const

describe('the rights of staff', () => {
  it('are those of their roles together', () => {
    expect(rightsOf([])).toEqual([])
    expect(rightsOf(['finance', 'compliance'])).toEqual(
      RIGHT_NAMES.filter((right) => [...rightsOf(['finance']), ...rightsOf(['compliance'])].includes(right))
    )
    for (const role of ROLES) expect(rightsOf([role])).toContain('see_queues')
  })

  it('let an admin neither move money nor see personal data', () => {
    for (const right of [...MONEY, 'show_personal_data'] as const) expect(rightsOf(['admin'])).not.toContain(right)
    expect(areRolesRight(['admin'])).toBe(true)
    for (const role of ['support', 'finance', 'compliance'] as const) expect(areRolesRight(['admin', role])).toBe(false)
    expect(areRolesRight(['finance', 'compliance'])).toBe(true)
    expect(areRolesRight([])).toBe(false)
    expect(areRolesRight(['finance', 'finance'])).toBe(false)
  })

  it('ask for the passkey wherever a second person is needed', () => {
    for (const right of RIGHT_NAMES) if (RIGHTS[right].second !== 'never') expect(RIGHTS[right].passkey, right).toBe(true)
  })
})
