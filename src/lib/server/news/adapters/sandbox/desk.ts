/** The editors' desk of the sandbox: it saves and publishes in the sandbox's space, which then sends a webhook as Contentful does. */
import { randomUUID } from 'node:crypto'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Context } from '../../../platform/context.ts'
import { previewLink } from '../../preview.ts'
import { sandboxContents } from '../../schema.ts'
import type { ContentfulConfig } from '../../settings.ts'
import { signDelivery, TOPIC } from '../contentful/signature.ts'
import { type Content, type EntryForm, fieldsOf, itemOf, nextPosition, sandboxFetch } from './space.ts'

const WEBHOOK = '/v1/news/webhook'
const SHOWN = 40

const DESK_ACTS = ['save', 'publish', 'unpublish', 'delete'] as const
export type DeskAct = (typeof DESK_ACTS)[number]
export type DeskEntry = EntryForm & { id: string; state: 'draft' | 'published' | 'changed' }

/** `deliver` sends a request to our API, as the outside world would. */
export function editorsDesk(
  context: Context,
  { webhookSecret }: ContentfulConfig,
  deliver: (path: string, init: RequestInit) => Promise<unknown>
) {
  const { db, clock } = context
  const isEntry = (id: string) =>
    and(eq(sandboxContents.id, id), eq(sandboxContents.type, 'Entry'), eq(sandboxContents.isDeleted, false))

  async function find(id: string): Promise<Content | undefined> {
    const [row] = await db.select().from(sandboxContents).where(isEntry(id))
    return row
  }

  async function tell(action: string, row: Content): Promise<void> {
    const body = JSON.stringify(itemOf(row, row.draft))
    const headers = {
      [TOPIC]: `ContentManagement.Entry.${action}`,
      'x-contentful-webhook-name': 'CP Wallet',
      'content-type': 'application/vnd.contentful.management.v1+json'
    }
    const signed = signDelivery(webhookSecret, { method: 'POST', path: WEBHOOK, body, headers }, clock())
    await deliver(WEBHOOK, { method: 'POST', headers: signed, body })
  }

  async function save(id: string, form: EntryForm): Promise<Content | undefined> {
    const now = clock()
    const row = { draft: fieldsOf(form), markdown: form.markdown, updatedAt: now }
    const known = id === '' ? undefined : await find(id)
    if (id !== '' && !known) return undefined
    const [saved] = known
      ? await db
          .update(sandboxContents)
          .set({ ...row, version: known.version + 1 })
          .where(eq(sandboxContents.id, id))
          .returning()
      : await db
          .insert(sandboxContents)
          .values({ id: randomUUID(), type: 'Entry', ...row, version: 1, createdAt: now })
          .returning()
    return saved
  }

  /** Publishes, unpublishes or deletes an entry, and sends the webhook. */
  async function change(row: Content, action: 'publish' | 'unpublish' | 'delete'): Promise<Content> {
    const [changed] = await db.transaction(async (tx) => {
      // One change at a time: the sync would skip a lower position that is committed after a higher one.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('sandbox_contents'))`)
      return tx
        .update(sandboxContents)
        .set({
          published: action === 'publish' ? row.draft : null,
          revision: row.revision + (action === 'publish' ? 1 : 0),
          isDeleted: action === 'delete',
          updatedAt: clock(),
          position: nextPosition
        })
        .where(eq(sandboxContents.id, row.id))
        .returning()
    })
    if (!changed) throw new Error('The entry is gone')
    await tell(action, changed)
    return changed
  }

  return {
    /** The newest change first. */
    list: async (): Promise<DeskEntry[]> => {
      // The space fills itself when it is first asked.
      await sandboxFetch(db, clock)(new URL('https://contentful.sandbox/sync'))
      const rows = await db
        .select()
        .from(sandboxContents)
        .where(and(eq(sandboxContents.type, 'Entry'), eq(sandboxContents.isDeleted, false)))
        .orderBy(desc(sandboxContents.updatedAt))
        .limit(SHOWN)
      return rows.map(deskEntryOf)
    },
    /** Saves the form if the action needs it, and does the action. Returns the entry's id; undefined if it does not exist. */
    act: async (act: DeskAct, id: string, form: EntryForm): Promise<string | undefined> => {
      const row = act === 'save' || act === 'publish' ? await save(id, form) : await find(id)
      if (!row) return undefined
      if (act !== 'save') await change(row, act)
      return row.id
    },
    previewPath: (id: string) => previewLink(context, id).path
  }
}

function deskEntryOf({ id, draft, published, markdown }: Content): DeskEntry {
  const value = (name: string) => {
    const field = draft[name] as Record<string, unknown> | undefined
    return field?.['en-US']
  }
  const text = (name: string) => String(value(name) ?? '')
  const thumbnail = value('thumbnailBanner') as { sys: { id: string } } | undefined
  const isSame = JSON.stringify(draft) === JSON.stringify(published)
  return {
    id,
    title: text('title'),
    shortDescription: text('shortDescription'),
    markdown,
    picture: thumbnail?.sys.id ?? '',
    date: text('date'),
    state: published === null ? 'draft' : isSame ? 'published' : 'changed'
  }
}
