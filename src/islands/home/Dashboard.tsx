import { useState } from 'react'
import { seedQuery } from '#lib/client/platform/queries.ts'
import {
  balances as balancesStore,
  profile as profileStore,
  stakingTotal as stakingStore,
  supportedTokens as tokensStore
} from '#lib/client/wallet/queries.ts'
import type { Answer, Balances, Profile, SupportedTokens } from '#lib/contract/types.ts'
import { movableUnits, type PortfolioLine, portfolioOf } from '#lib/domain/wallet/portfolio.ts'
import { formatPrice, formatUnits, formatUsd, formatUsdCents } from '#lib/format/amount.ts'
import { hasPrices, priceNote } from '#lib/format/prices.ts'
import { dashboardTexts } from '#lib/messages/en/home/dashboard.ts'
import { KycPrompt } from '../identity/IdentityPrompt.tsx'
import { Notices } from '../platform/Notices.tsx'
import { useQuery } from '../platform/useQuery.ts'
import { Amount } from '../ui/Amount.tsx'
import { Card } from '../ui/Card.tsx'
import { Split } from '../ui/Split.tsx'
import { TokenMark } from '../ui/TokenMark.tsx'

type Props = {
  balances: Balances
  tokens: SupportedTokens
  profile: Profile
  staking: Answer<'getStakingTotal'>
  /** The page leads with the first steps; the total stands back until there is one. */
  isNew: boolean
}

/** The figures of the dashboard: first the server's, then those of the stores. */
export function Dashboard(first: Props) {
  useState(() => {
    seedQuery('getBalance', first.balances)
    if (hasPrices(first.tokens)) seedQuery('getSupportedTokens', first.tokens)
    seedQuery('getProfile', first.profile)
    seedQuery('getStakingTotal', first.staking)
  })
  const balances = useQuery(balancesStore, first.balances)
  const tokens = useQuery(tokensStore, first.tokens)
  const profile = useQuery(profileStore, first.profile)
  const portfolio = portfolioOf(balances, tokens.prices)
  const staking = useQuery(stakingStore, first.staking)
  const isNew = first.isNew && portfolio.totalCents === 0n
  const movable = Object.values(balances).find((balance) => movableUnits(balance) > 0n)
  const rewarded = portfolio.rewards.find(({ units }) => units !== '0')
  const usd = (cents: bigint) => (hasPrices(tokens) ? formatUsdCents(cents) : '–')
  // A share in percent with two digits, only for drawing.
  const shareOf = (cents: bigint) => (portfolio.totalCents === 0n ? 0 : Number((cents * 10_000n) / portfolio.totalCents) / 100)

  return (
    <>
      <section className={isNew ? 'card roomy' : 'hero p-6 sm:p-8'} aria-labelledby="total">
        <h2 id="total" className={isNew ? 'eyebrow' : 'text-hero-muted'}>
          {dashboardTexts.total}
        </h2>
        <p className="mt-1" aria-live="polite">
          <Amount value={usd(portfolio.totalCents)} className={isNew ? 'text-2xl font-semibold' : 'text-figure font-semibold'} />
        </p>
        {!isNew && (
          <p className="mt-5 flex flex-wrap gap-3">
            <a className="button button-on-hero" href="/buy-package">
              {dashboardTexts.buy}
            </a>
            {movable && (
              <a className="button button-line-hero" href={`/token-list?move=${movable.currency}`}>
                {dashboardTexts.transfer}
              </a>
            )}
          </p>
        )}
        {!isNew && (
          <Split
            parts={[
              {
                label: dashboardTexts.free,
                value: usd(portfolio.freeCents),
                share: shareOf(portfolio.freeCents),
                fill: 'fill-mint'
              },
              {
                label: dashboardTexts.staked,
                value: usd(portfolio.stakedCents),
                share: shareOf(portfolio.stakedCents),
                fill: 'fill-coin'
              },
              {
                label: dashboardTexts.rewards,
                value: usd(portfolio.rewardCents),
                share: shareOf(portfolio.rewardCents),
                fill: 'fill-on-hero'
              }
            ]}
          />
        )}
      </section>
      <div className="mt-5 grid grid-cols-[repeat(auto-fit,minmax(min(100%,15rem),1fr))] gap-5">
        <Card small title={dashboardTexts.staking}>
          <Amount value={formatUsd(staking.totalUsd)} className="text-2xl font-semibold" />
          {staking.orders > 0 && (
            <p className="mt-1">
              {dashboardTexts.worthNow} <Amount value={usd(portfolio.stakedCents)} className="font-semibold" />
            </p>
          )}
          <p className="mt-1 text-sm text-muted">
            {staking.orders === 0 ? dashboardTexts.stakingCost : dashboardTexts.stakingCostOf(staking.orders)}
          </p>
        </Card>
        <Card small title={dashboardTexts.iban}>
          <p className="text-2xl font-semibold">{dashboardTexts.comingSoon}</p>
          <p className="mt-1 text-sm text-muted">{dashboardTexts.ibanAbout}</p>
        </Card>
        <Card small title={dashboardTexts.kyc}>
          <KycPrompt kycData={profile.kycData} badgeOnly={isNew} />
        </Card>
      </div>
      <div className="mt-5 flex flex-wrap items-start gap-5">
        <Card title={dashboardTexts.portfolio} className="min-w-[min(100%,34rem)] flex-[2]">
          <table className="w-full">
            <caption className="sr-only">{dashboardTexts.caption}</caption>
            <thead className="hidden text-left text-sm text-muted sm:table-header-group">
              <tr>
                <th scope="col" className="pb-2 font-medium">
                  {dashboardTexts.token}
                </th>
                <th scope="col" className="pb-2 text-right font-medium">
                  {dashboardTexts.balance}
                </th>
                <th scope="col" className="pb-2 text-right font-medium">
                  {dashboardTexts.value}
                </th>
                <th scope="col" className="pb-2 text-right font-medium">
                  {dashboardTexts.price}
                </th>
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {portfolio.lines.map((line) => (
                <PortfolioRow key={line.currency} line={line} />
              ))}
            </tbody>
          </table>
          <p className="mt-4 text-sm text-muted">{priceNote(tokens)}</p>
        </Card>
        <Card title={dashboardTexts.rewards} className="min-w-[min(100%,17rem)] flex-1">
          <dl className="divide-y divide-line">
            {portfolio.rewards.map((line) => (
              <div key={line.currency} className="flex items-center justify-between gap-4 py-3.5">
                <dt className="flex items-center gap-3 font-semibold">
                  <TokenMark code={line.currency} />
                  {line.currency}
                </dt>
                <dd className="text-right">
                  <Amount value={formatUnits(line.units, line.currency)} unit={line.currency} className="font-semibold" />
                  <div className="text-sm text-muted">
                    <Value line={line} />
                  </div>
                </dd>
              </div>
            ))}
          </dl>
          {rewarded && (
            <a className="link mt-3 inline-flex min-h-11 items-center" href={`/token-list?move=${rewarded.currency}&from=reward`}>
              {dashboardTexts.moveRewards}
            </a>
          )}
          <p className="mt-4 text-sm text-muted">{dashboardTexts.rewardsAbout}</p>
        </Card>
      </div>
      <Notices />
    </>
  )
}

function Value({ line: { priceUsd, valueCents } }: { line: PortfolioLine }) {
  if (priceUsd === undefined) return dashboardTexts.noPrice
  return (
    <>
      ≈ <Amount value={formatUsdCents(valueCents)} />
    </>
  )
}

function PortfolioRow({ line }: { line: PortfolioLine }) {
  return (
    <tr className="grid grid-cols-[1fr_auto] items-center max-[23rem]:grid-cols-1 gap-x-4 py-4 sm:table-row sm:py-0">
      <th scope="row" className="row-span-2 text-left font-normal sm:py-4">
        <a className="flex min-h-11 items-center gap-3 no-underline" href={`/token/${line.currency}`}>
          <TokenMark code={line.currency} />
          <span>
            <span className="block font-semibold">{line.name}</span>
            <span className="block text-sm text-muted">{line.subName}</span>
          </span>
        </a>
      </th>
      <td className="text-right sm:py-4">
        <Amount
          value={formatUnits(line.units, line.currency)}
          unit={line.currency}
          className="text-lg font-semibold sm:text-base"
        />
        {line.stakedUnits !== '0' && (
          <div className="text-sm text-muted">
            {dashboardTexts.stakedPart} <Amount value={formatUnits(line.stakedUnits, line.currency)} unit={line.currency} />
          </div>
        )}
      </td>
      <td className="text-right text-muted sm:py-4 sm:text-ink">
        <Value line={line} />
      </td>
      <td className="col-span-2 text-right text-sm text-muted before:content-['Unit_price_'] sm:py-4 sm:text-base sm:before:content-none">
        {line.priceUsd === undefined ? '–' : <Amount value={formatPrice(line.priceUsd, line.currency)} />}
      </td>
    </tr>
  )
}
