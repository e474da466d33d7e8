import { expect, it } from 'vitest'
import { onceMade } from '#lib/server/platform/onceMade.ts'

it('makes it once for all, and again after it has failed', async () => {
  let tries = 0
  const get = onceMade(async () => {
    tries += 1
    if (tries === 1) throw new Error('not now')
    return tries
  })
  await expect(Promise.allSettled([get(), get()])).resolves.toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
  expect(await Promise.all([get(), get()])).toEqual([2, 2])
  expect(await get()).toBe(2)
})
