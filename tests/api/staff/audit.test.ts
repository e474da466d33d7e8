/** The audit log: nothing is changed, removed, moved or cut off without being found. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { transact } from '#lib/server/platform/transaction.ts'
import { keepEntry, newestHead, signHead, verifyAudit } from '#lib/server/staff/index.ts'
import { behindTheBack } from '#support/behindTheBack.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

describe('the audit log', () => {
  let test: TestApp
  const db = () => test.app.context.db
  const signer = () => {
    const { headSigner } = test.app.chains
    if (!headSigner) throw new Error('The test has the seed')
    return headSigner
  }
  const verify = async (heads: { entryId: bigint; hash: string }[] = []) => {
    const { problems, forged } = await verifyAudit(db(), signer().publicKey, { heads })
    return [...problems, ...forged]
  }
  const keep = (subject: string) =>
    transact(test.app.context, (work) =>
      keepEntry(work, {
        actor: { kind: 'staff', id: 'ada' },
        act: 'test',
        subject,
        why: 'Größe: ünï\n',
        details: { a: ['x', 1, null] }
      })
    )
  /** Runs `look` after a change behind the back, and takes the change back. */
  async function changed(changes: ReturnType<typeof sql>[], look: () => Promise<void>): Promise<void> {
    await db().execute(sql`create table kept as select * from staff_audit`)
    await db().execute(sql`create table kept_heads as select * from staff_audit_heads`)
    try {
      await behindTheBack(db(), ...changes)
      await look()
    } finally {
      await behindTheBack(
        db(),
        sql`delete from staff_audit`,
        sql`insert into staff_audit select * from kept`,
        sql`delete from staff_audit_heads`,
        sql`insert into staff_audit_heads select * from kept_heads`
      )
      await db().execute(sql`drop table kept, kept_heads`)
    }
  }

  beforeAll(async () => {
    test = await createTestApp()
    for (let at = 1; at <= 8; at += 1) await keep(`thing:${at}`)
    await signHead(test.app.context, signer())
    await keep('thing:9')
  })
  afterAll(() => test.close())

  it('is whole, in the hash of the database and in ours', async () => {
    expect(await verifyAudit(db(), signer().publicKey)).toEqual({ entries: 9, signedUpTo: 8n, problems: [], forged: [] })
  })

  it('takes no change, no removal and no emptying', async () => {
    for (const refused of [
      sql`update staff_audit set why = 'x' where id = 3`,
      sql`delete from staff_audit where id = 9`,
      sql`truncate staff_audit`,
      sql`delete from staff_audit_heads`
    ])
      await expect(db().execute(refused)).rejects.toMatchObject({ cause: { message: expect.stringContaining('append-only') } })
  })

  it.each([
    ['changed entry', [sql`update staff_audit set why = 'x' where id = 3`], 'entry 3 was changed'],
    ['removed entry', [sql`delete from staff_audit where id = 4`], 'entry 4 is missing'],
    [
      'moved entry',
      [
        sql`update staff_audit set id = 100 where id = 3`,
        sql`update staff_audit set id = 3 where id = 4`,
        sql`update staff_audit set id = 4 where id = 100`
      ],
      'entry 3 does not follow entry 2'
    ],
    [
      'cut-off end',
      [sql`delete from staff_audit where id >= 7`],
      'the log ends at entry 6, but the signer has signed up to entry 8'
    ],
    [
      'forged head',
      [sql`update staff_audit_heads set hash = (select hash from staff_audit where id = 7), entry_id = 7`],
      'the head at entry 7 is not signed by the signer'
    ]
  ])('shows a %s', async (_, changes, says) => {
    await changed(changes, async () => expect((await verify()).some((problem) => problem.startsWith(says))).toBe(true))
    expect(await verify()).toEqual([])
  })

  it('shows an entry that was written anew with all that follow it, by the signed head', async () => {
    const rehash = sql`
      do $$ declare one record; last text := ''; begin
        for one in select * from staff_audit order by id loop
          update staff_audit a set why = case when a.id = 2 then 'x' else a.why end, previous = last where a.id = one.id;
          update staff_audit a set hash = (
            select encode(sha256(convert_to(string_agg(octet_length(part) || ':' || part, '' order by n), 'UTF8')), 'hex')
            from unnest(array[a.id::text, to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), a.actor, a.act, a.subject, a.why, a.details, a.previous]) with ordinality as parts(part, n)
          ) where a.id = one.id returning hash into last;
        end loop; end $$`
    await changed([rehash], async () => expect(await verify()).toEqual(['entry 8 is not the one that the signer signed']))
  })

  it('shows an end that was cut off together with its heads, by the signer’s own record; and the signer signs no more', async () => {
    const last = signer().last()
    await changed([sql`delete from staff_audit where id >= 7`, sql`delete from staff_audit_heads`], async () => {
      expect(await verify()).toEqual([])
      expect(await verify(last ? [last] : [])).toEqual([expect.stringContaining('the end was cut off')])
      await signHead(test.app.context, signer())
      expect((await verifyAudit(db(), signer().publicKey)).signedUpTo).toBe(0n)
    })
  })

  it('is signed on, and shown as signed up to where it is, past a head that is forged', async () => {
    const forged = sql`insert into staff_audit_heads values (9000, 'x', 'x', now())`
    await changed([forged], async () => {
      expect((await newestHead(db(), signer().publicKey))?.entryId).toBe(8n)
      await signHead(test.app.context, signer())
      expect((await newestHead(db(), signer().publicKey))?.entryId).toBe(9n)
      expect(await verify()).toEqual(['the head at entry 9000 is not signed by the signer'])
    })
    // What the journal has, and the database lost, is put back.
    await signHead(test.app.context, signer())
    expect((await newestHead(db(), signer().publicKey))?.entryId).toBe(9n)
  })

  it('keeps a time to the millisecond and details that are an object, as they are hashed', async () => {
    await db().execute(sql`select staff_audit_append('2026-11-21 12:00:00.0009+00', 'x', 'x', 'x', 'x', '{}')`)
    expect(await verify()).toEqual([])
    await expect(db().execute(sql`select staff_audit_append(now(), 'x', 'x', 'x', 'x', '[]')`)).rejects.toThrow()
  })

  it('is not signed while an entry after the last head is broken', async () => {
    await changed([sql`update staff_audit set why = 'y' where id = 10`], async () => {
      await signHead(test.app.context, signer())
      expect((await verifyAudit(db(), signer().publicKey)).signedUpTo).toBe(9n)
    })
    await signHead(test.app.context, signer())
    expect(await verifyAudit(db(), signer().publicKey)).toMatchObject({ signedUpTo: 10n, problems: [] })
  })

  it('has each entry once and without gaps when many write at once, and none of what was taken back', async () => {
    const failing = transact(test.app.context, async (work) => {
      await keepEntry(work, { actor: { kind: 'staff', id: 'ada' }, act: 'test', subject: 'lost', why: '' })
      throw new Error('taken back')
    })
    await expect(failing).rejects.toThrow('taken back')
    await Promise.all(Array.from({ length: 12 }, (_, at) => keep(`at once:${at}`)))
    expect(await verify()).toEqual([])
    expect((await verifyAudit(db(), signer().publicKey)).entries).toBe(22)
  })
})
