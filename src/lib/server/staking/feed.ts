/** The private link of a customer's reward calendar, which calendar programs read. We keep only the hash of its token. */
import { eq } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import { disavowLink, lockProved } from '../access/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { hashToken, keyedHash, randomToken } from '../platform/crypto.ts'
import { AppError } from '../platform/errors.ts'
import { mailTo } from '../platform/mail/job.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { calendarLines, END_OF_PLANS } from './calendar.ts'
import { rewardFeeds } from './schema.ts'

const MONTHS_BACK = 12

export async function readFeedState({ db }: Context, { userId }: Customer): Promise<Answer<'getRewardFeed'>> {
  const [feed] = await db.select().from(rewardFeeds).where(eq(rewardFeeds.userId, userId))
  return { createdAt: feed?.createdAt.toISOString() ?? null }
}

/**
 * Makes a new link; the one before stops working. The address is returned only here. The customer is told by mail: whoever has the link reads
 * what they receive. Throws `confirmation_required`.
 */
export async function createFeed(context: Context, customer: Customer): Promise<Answer<'createRewardFeed'>> {
  const token = randomToken()
  return transact(context, async (work) => {
    const { tx, now: createdAt } = work
    const user = await lockProved(context, work, customer)
    const tokenHash = hashToken(token)
    await tx
      .insert(rewardFeeds)
      .values({ userId: user.id, tokenHash, createdAt })
      .onConflictDoUpdate({ target: rewardFeeds.userId, set: { tokenHash, createdAt } })
    await work.enqueue(mailTo(user, 'rewardLinkCreated', { link: await disavowLink(context, user.id, user.email) }))
    return { url: `${context.origin}/rewards/${token}.ics`, createdAt: createdAt.toISOString() }
  })
}

export async function revokeFeed({ db }: Context, { userId }: Customer): Promise<void> {
  await db.delete(rewardFeeds).where(eq(rewardFeeds.userId, userId))
}

/** For a customer who reports that somebody else was in their account: the intruder may have copied the link. */
export async function revokeFeedOf({ tx }: Work, userId: string): Promise<void> {
  await tx.delete(rewardFeeds).where(eq(rewardFeeds.userId, userId))
}

/** The calendar behind the link of this token. Throws `link_invalid`, also after the link was revoked. */
export async function readFeed(context: Context, token: string): Promise<Answer<'readRewardFeed'>> {
  const [feed] = await context.db
    .select()
    .from(rewardFeeds)
    .where(eq(rewardFeeds.tokenHash, hashToken(token)))
  if (!feed) throw new AppError('link_invalid')
  const now = context.clock()
  const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS_BACK, 1)).toISOString().slice(0, 10)
  const lines = await calendarLines(context, feed.userId, { from, until: END_OF_PLANS })
  return {
    asOf: now.toISOString(),
    events: lines
      .filter(({ state }) => state !== 'cancelled')
      .map((line) => ({
        // The same at each reading, and different for each customer. A day with paid and unpaid payouts has two events.
        id: keyedHash(context.keyFor('reward-feed'), feed.userId, line.day, line.kind, line.currency, line.state),
        ...line,
        units: line.units.toString()
      }))
  }
}
