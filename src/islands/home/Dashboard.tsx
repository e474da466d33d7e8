import { type ReactNode, useState } from 'react'
import { seedQuery } from '#lib/client/platform/queries.ts'
import {
  balances as balancesStore,
  profile as profileStore,
  stakingTotal as stakingStore,
  supportedTokens as tokensStore
} from '#lib/client/wallet/queries.ts'
import type { Answer, Balances, Profile, SupportedTokens } from '#lib/contract/types.ts'
import { centsIn, pricesIn } from '#lib/domain/rates/prices.ts'
import { movableUnits, type PortfolioLine, portfolioOf } from '#lib/domain/wallet/portfolio.ts'
import { formatCents, formatPrice, formatShortPrice, formatShortUnits, formatUnits } from '#lib/format/amount.ts'
import { hasPrices, priceNote } from '#lib/format/rates/prices.ts'
import type { View } from '#lib/format/view.ts'
import { dashboardTexts } from '#messages/home/dashboard.ts'
import { KycPrompt } from '../identity/IdentityPrompt.tsx'
import { ToastRegion } from '../platform/ToastRegion.tsx'
import { useQuery } from '../platform/useQuery.ts'
import { Amount } from '../ui/Amount.tsx'
import { Card } from '../ui/Card.tsx'
import { Split } from '../ui/Split.tsx'
import { TokenMark } from '../ui/TokenMark.tsx'

type Props = {
  balances: Balances
  tokens: SupportedTokens
  profile: Pick<Profile, 'kycData'>
  staking: Answer<'getStakingTotal'>
  view: View
  /** The token that "Withdraw" opens. */
  withdraws: string
  /** The tokens whose mark is in the page's HTML. */
  marks: string[]
  /** The page starts with the first steps; the total is a small card while it is zero. */
  isNew: boolean
  /** Parts that the page renders on the server: currency switch, value line, open orders, allocation ring. */
  currencies?: ReactNode
  line?: ReactNode
  orders?: ReactNode
  allocation?: ReactNode
}

/** The figures of the dashboard: first the server's, then the stores'. */
export function Dashboard(first: Props) {
  useState(() => {
    seedQuery('getBalance', first.balances)
    if (hasPrices(first.tokens)) seedQuery('getSupportedTokens', first.tokens)
    seedQuery('getProfile', first.profile)
    seedQuery('getStakingTotal', first.staking)
  })
  const { currency, timeZone } = first.view
  const balances = useQuery(balancesStore, first.balances)
  const tokens = useQuery(tokensStore, first.tokens)
  const profile = useQuery(profileStore, first.profile)
  const staking = useQuery(stakingStore, first.staking)
  const portfolio = portfolioOf(balances, pricesIn(currency, tokens))
  const isNew = first.isNew && portfolio.totalCents === 0n
  const movable = Object.keys(balances).find((code) => balances[code] && movableUnits(balances[code]) > 0n)
  const rewarded = portfolio.rewards.find(({ units }) => units !== '0')
  const money = (cents: bigint) => (hasPrices(tokens) ? formatCents(cents, currency) : '–')
  const stakingCents = centsIn(currency, BigInt(staking.totalUsd.replace('.', '')), tokens.eurPerUsd)
  // A share in percent with two digits, only for drawing.
  const part = (label: string, cents: bigint, fill: string) => ({
    label,
    value: money(cents),
    share: portfolio.totalCents === 0n ? 0 : Number((cents * 10_000n) / portfolio.totalCents) / 100,
    fill
  })

  return (
    <>
      <section className={isNew ? 'card roomy' : 'hero dash-hero'} aria-labelledby="total">
        <div>
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <h2 id="total" className={isNew ? 'eyebrow' : 'text-sm text-hero-muted'}>
              {dashboardTexts.total(currency)}
            </h2>
            {first.currencies}
          </div>
          <p className="mt-1" aria-live="polite">
            <Amount
              isPrivate
              headline
              value={money(portfolio.totalCents)}
              className={isNew ? 'text-2xl font-semibold' : 'text-figure font-semibold'}
            />
          </p>
          {!isNew && (
            <p className="mt-6 flex flex-wrap gap-3">
              <a className="button button-on-hero" href="/buy-package">
                {dashboardTexts.buy}
              </a>
              <a className="button button-line-hero" href="/deposit/USDC">
                {dashboardTexts.deposit}
              </a>
              <a className="button button-line-hero" href={`/withdraw/${first.withdraws}`}>
                {dashboardTexts.withdraw}
              </a>
              {movable && (
                <a className="button button-line-hero" href={`/token-list?move=${movable}`}>
                  {dashboardTexts.transfer}
                </a>
              )}
            </p>
          )}
        </div>
        {!isNew && first.line}
        {!isNew && (
          <div className="dash-split">
            <Split
              parts={[
                part(dashboardTexts.free, portfolio.freeCents, 'fill-mint'),
                part(dashboardTexts.staked, portfolio.stakedCents, 'fill-coin'),
                part(dashboardTexts.rewards, portfolio.rewardCents, 'fill-on-hero')
              ]}
            />
          </div>
        )}
      </section>
      {first.orders}
      <div className="dash-columns">
        <Card title={dashboardTexts.portfolio}>
          <table className="w-full">
            <caption className="sr-only">{dashboardTexts.caption}</caption>
            <thead className="hidden text-left text-sm text-muted sm:table-header-group">
              <tr>
                {(['token', 'price', 'balance', 'value'] as const).map((head) => (
                  <th key={head} scope="col" className={`pb-2 font-medium ${head === 'token' ? '' : 'text-right'}`}>
                    {dashboardTexts[head]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {[...portfolio.lines, ...portfolio.others].map((line) => (
                <PortfolioRow
                  key={line.currency}
                  line={line}
                  currency={currency}
                  isMarkLater={!first.marks.includes(line.currency)}
                />
              ))}
            </tbody>
          </table>
          <p className="mt-3 flex flex-wrap items-center justify-between gap-x-4 text-sm text-muted">
            {priceNote(tokens, timeZone)}
            <a className="link inline-flex min-h-11 items-center" href="/token-list">
              {dashboardTexts.allTokens}
            </a>
          </p>
        </Card>
        {first.allocation}
      </div>
      <div className="dash-columns">
        <Card title={dashboardTexts.staking(currency)}>
          <Amount isPrivate value={formatCents(stakingCents, currency)} className="text-2xl font-semibold" />
          {staking.orders > 0 && (
            <p className="mt-1">
              {dashboardTexts.worthNow} <Amount isPrivate value={money(portfolio.stakedCents)} className="font-semibold" />
            </p>
          )}
          <p className="mt-1 text-sm text-muted">
            {staking.orders === 0 ? dashboardTexts.stakingCost : dashboardTexts.stakingCostOf(staking.orders)}
          </p>
        </Card>
        <Card title={dashboardTexts.kyc}>
          <KycPrompt kycData={profile.kycData} badgeOnly={isNew} />
        </Card>
      </div>
      <Card title={dashboardTexts.rewards} className="mt-5">
        <dl className="grid gap-x-12 sm:grid-cols-2">
          {portfolio.rewards.map((line) => (
            <div key={line.currency} className="flex min-h-16 items-center justify-between gap-4">
              <dt className="flex items-center gap-3">
                <TokenMark code={line.currency} />
                <span>
                  <span className="block font-semibold">{line.currency}</span>
                  <span className="block text-sm text-muted">{dashboardTexts.rewardOf[line.currency]}</span>
                </span>
              </dt>
              <dd className="text-right">
                <Amount
                  isPrivate
                  value={formatShortUnits(line.units, line.currency)}
                  unit={line.currency}
                  className="font-semibold"
                />
                <div className="text-sm text-muted">
                  <Value line={line} currency={currency} />
                </div>
              </dd>
            </div>
          ))}
        </dl>
        <p className="mt-2 flex flex-wrap items-center justify-between gap-x-4 text-sm text-muted">
          {dashboardTexts.rewardsAbout}
          {rewarded && (
            <a className="link inline-flex min-h-11 items-center" href={`/token-list?move=${rewarded.currency}&from=reward`}>
              {dashboardTexts.moveRewards}
            </a>
          )}
        </p>
      </Card>
      <ToastRegion />
    </>
  )
}

type LineProps = { line: PortfolioLine; currency: View['currency'] }

function Value({ line: { priceUsd, valueCents }, currency }: LineProps) {
  return priceUsd === undefined ? dashboardTexts.noPrice : <Amount isPrivate value={formatCents(valueCents, currency)} />
}

function PortfolioRow({ line, currency, isMarkLater }: LineProps & { isMarkLater: boolean }) {
  const { currency: code } = line
  return (
    <tr className="dash-row">
      <th scope="row" className="text-left font-normal">
        <a className="token-cell" href={`/token/${code}`}>
          <TokenMark code={code} isLater={isMarkLater} />
          <span>
            <span className="block font-semibold">{line.name}</span>
            <span className="block text-sm text-muted">
              {line.subName}
              {line.priceUsd !== undefined && (
                <span className="figure sm:hidden"> · {formatShortPrice(line.priceUsd, code, currency)}</span>
              )}
            </span>
          </span>
        </a>
      </th>
      <td className="dash-price text-right text-muted">
        {line.priceUsd === undefined ? '–' : <Amount value={formatPrice(line.priceUsd, code, currency)} />}
      </td>
      <td className="text-right max-sm:text-sm max-sm:text-muted">
        <Amount isPrivate value={formatUnits(line.units, code)} unit={code} />
        {line.stakedUnits !== '0' && (
          <div className="text-sm text-muted max-sm:hidden">
            <Amount isPrivate value={formatUnits(line.stakedUnits, code)} /> {dashboardTexts.stakedPart}
          </div>
        )}
      </td>
      <td className="dash-value text-right font-semibold">
        <Value line={line} currency={currency} />
      </td>
    </tr>
  )
}
