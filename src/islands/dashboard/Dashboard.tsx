import { type ReactNode, useState } from 'react'
import { balances as balancesStore, profile as profileStore, supportedTokens as tokensStore } from '#lib/client/stores/account.ts'
import { seedQuery } from '#lib/client/stores/queries.ts'
import type { Balances, Profile, SupportedTokens } from '#lib/contract/types.ts'
import { type KycBadge, kycBadge } from '#lib/domain/kyc.ts'
import { type PortfolioLine, portfolioOf } from '#lib/domain/portfolio.ts'
import { formatPrice, formatUnits, formatUsdCents } from '#lib/format/amount.ts'
import { formatMoment } from '#lib/format/dates.ts'
import { Notices } from '../Notices.tsx'
import { Amount } from '../ui/Amount.tsx'
import { Tag } from '../ui/Tag.tsx'
import { useQuery } from '../useQuery.ts'
import { Card } from './Card.tsx'

type Props = { balances: Balances; tokens: SupportedTokens; profile: Profile }

const KYC_TONES: Record<KycBadge, 'green' | 'gold' | 'grey'> = { Verified: 'green', Pending: 'gold', 'Not Verified': 'grey' }

/** The figures of the dashboard: the server's first, then what the stores bring. */
export function Dashboard(first: Props) {
  useState(() => {
    seedQuery('getBalance', first.balances)
    seedQuery('getSupportedTokens', first.tokens)
    seedQuery('getProfile', first.profile)
  })
  const balances = useQuery(balancesStore, first.balances)
  const tokens = useQuery(tokensStore, first.tokens)
  const profile = useQuery(profileStore, first.profile)
  const portfolio = portfolioOf(balances, tokens.prices)
  const badge = kycBadge(profile.kycData)

  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3 xl:grid-cols-4">
        <Card title="Total money you have (USD)" className="sm:col-span-3 xl:col-span-1">
          <Amount value={formatUsdCents(portfolio.totalCents)} className="text-3xl font-semibold" />
          <p className="mt-2 text-sm text-muted">
            Wallet <Amount value={formatUsdCents(portfolio.walletCents)} /> + staked{' '}
            <Amount value={formatUsdCents(portfolio.stakedCents)} /> + rewards{' '}
            <Amount value={formatUsdCents(portfolio.rewardCents)} />
          </p>
        </Card>
        <Card title="Staking (USD)">
          <Amount value={formatUsdCents(portfolio.stakedCents)} className="text-3xl font-semibold" />
          <p className="mt-2 text-sm text-muted">Tokens locked by your completed packages.</p>
        </Card>
        <Card title="Sepa Euro IBAN (vIBAN)">
          <p className="text-xl font-semibold">Coming soon</p>
          <p className="mt-2 text-sm text-muted">Your own IBAN for euro transfers.</p>
        </Card>
        <Card title="KYC status">
          <Tag tone={KYC_TONES[badge]}>{badge}</Tag>
          <p className="mt-2 text-sm text-muted">
            {badge === 'Verified' ? 'Your information is verified.' : 'Your identity check, as we know it.'}
          </p>
        </Card>
      </div>
      <div className="mt-6 grid gap-6 lg:grid-cols-[2fr_1fr]">
        <Panel title="Portfolio" note={`Prices: ${tokens.source}, ${formatMoment(tokens.pricedAt)} UTC`}>
          <table className="w-full">
            <caption className="sr-only">Your tokens with balance, value and unit price</caption>
            <thead className="hidden text-left text-sm text-muted sm:table-header-group">
              <tr>
                <th scope="col" className="pb-2 font-medium">
                  Token
                </th>
                <th scope="col" className="pb-2 text-right font-medium">
                  Balance
                </th>
                <th scope="col" className="pb-2 text-right font-medium">
                  Value
                </th>
                <th scope="col" className="pb-2 text-right font-medium">
                  Price
                </th>
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {portfolio.lines.map((line) => (
                <PortfolioRow key={line.currency} line={line} />
              ))}
            </tbody>
          </table>
        </Panel>
        <Panel title="Rewards" note="5% of what the people you invite spend, in CPC.">
          <dl className="divide-y divide-line">
            {portfolio.rewards.map((line) => (
              <div key={line.currency} className="flex items-baseline justify-between gap-4 py-3">
                <dt className="font-medium">{line.currency}</dt>
                <dd className="text-right">
                  <Amount value={formatUnits(line.units, line.currency)} unit={line.currency} className="font-semibold" />
                  <div className="text-sm text-muted">
                    ≈ <Amount value={formatUsdCents(line.valueCents)} />
                  </div>
                </dd>
              </div>
            ))}
          </dl>
        </Panel>
      </div>
      <Notices />
    </>
  )
}

function Panel({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  return (
    <section className="card p-5 sm:p-6">
      <h2 className="mb-3 text-lg font-semibold">{title}</h2>
      {children}
      <p className="mt-4 text-sm text-muted">{note}</p>
    </section>
  )
}

function PortfolioRow({ line }: { line: PortfolioLine }) {
  return (
    <tr className="grid grid-cols-[1fr_auto] gap-x-4 py-3 sm:table-row sm:py-0">
      <th scope="row" className="row-span-2 py-0 text-left font-normal sm:py-3">
        <span className="block font-semibold">{line.name}</span>
        <span className="block text-sm text-muted">{line.subName}</span>
      </th>
      <td className="text-right sm:py-3">
        <Amount value={formatUnits(line.units, line.currency)} unit={line.currency} className="font-semibold" />
        {line.stakedUnits !== '0' && (
          <div className="text-sm text-muted">
            staked <Amount value={formatUnits(line.stakedUnits, line.currency)} unit={line.currency} />
          </div>
        )}
      </td>
      <td className="text-right text-muted sm:py-3 sm:text-ink">
        ≈ <Amount value={formatUsdCents(line.valueCents)} />
      </td>
      <td className="col-span-2 text-right text-sm text-muted before:content-['Unit_price_'] sm:py-3 sm:text-base sm:before:content-none">
        {line.priceUsd === undefined ? '–' : <Amount value={formatPrice(line.priceUsd, line.currency)} />}
      </td>
    </tr>
  )
}
