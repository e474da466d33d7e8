import { type ReactNode, useState } from 'react'
import { seedQuery } from '#lib/client/platform/queries.ts'
import {
  balances as balancesStore,
  costs as costStores,
  stakingTotal as stakingStore,
  supportedTokens as tokensStore
} from '#lib/client/wallet/queries.ts'
import type { Answer, Balances, SupportedTokens } from '#lib/contract/types.ts'
import { centsIn, pricesIn } from '#lib/domain/rates/prices.ts'
import { PARTS, type Part, type PortfolioLine, portfolioOf } from '#lib/domain/wallet/portfolio.ts'
import {
  formatCents,
  formatChange,
  formatPrice,
  formatPriceChange,
  formatShortPrice,
  formatShortUnits
} from '#lib/format/amount.ts'
import { hasPrices, priceNote } from '#lib/format/rates/prices.ts'
import type { View } from '#lib/format/view.ts'
import { dashboardTexts } from '#messages/home/dashboard.ts'
import { partTexts } from '#messages/wallet/parts.ts'
import { ToastRegion } from '../platform/ToastRegion.tsx'
import { useQuery } from '../platform/useQuery.ts'
import { Amount } from '../ui/Amount.tsx'
import { Card } from '../ui/Card.tsx'
import { Split } from '../ui/Split.tsx'
import { TokenMark } from '../ui/TokenMark.tsx'
import { toneOfChange } from '../ui/toneOfChange.ts'
import { readCosts } from './costs.ts'

type Props = {
  balances: Balances
  tokens: SupportedTokens
  staking: Answer<'getStakingTotal'>
  /** By `writeCosts`. */
  costs: string
  view: View
  /** The page starts with the first steps; the total is a small card while it is zero. */
  isNew: boolean
  /** Parts that the page renders on the server: currency switch, actions, value line, the line of a stake, the shares as a strip and as a ring. */
  currencies?: ReactNode
  actions?: ReactNode
  line?: ReactNode
  term?: ReactNode
  strip?: ReactNode
  allocation?: ReactNode
}

/** Parts that are shown even where they are zero. */
const ALWAYS: Part[] = ['available', 'staked', 'reward']
const FILLS: Record<Part, string> = {
  available: 'fill-mint',
  frozen: 'fill-sky',
  outgoing: 'fill-hero-muted',
  staked: 'fill-coin',
  locked: 'fill-clay',
  reward: 'fill-on-hero'
}

/** The figures of the dashboard: first the server's, then the stores'. */
export function Dashboard(first: Props) {
  useState(() => {
    seedQuery('getBalance', first.balances)
    if (hasPrices(first.tokens)) seedQuery('getSupportedTokens', first.tokens)
    seedQuery('getStakingTotal', first.staking)
    if (hasPrices(first.tokens)) seedQuery('getCost', readCosts(first.costs), { query: { in: first.view.currency } })
  })
  const { currency, timeZone } = first.view
  const [firstCosts] = useState(() => readCosts(first.costs))
  const costs = useQuery(costStores[currency], firstCosts)
  const balances = useQuery(balancesStore, first.balances)
  const tokens = useQuery(tokensStore, first.tokens)
  const staking = useQuery(stakingStore, first.staking)
  const portfolio = portfolioOf(balances, pricesIn(currency, tokens))
  const isNew = first.isNew && portfolio.totalCents === 0n
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
          <div className="dash-head flex flex-wrap items-center justify-between gap-x-4 gap-y-1 lg:justify-start">
            <h2 id="total" className={isNew ? 'eyebrow' : 'text-sm text-hero-muted'}>
              {dashboardTexts.total(currency)}
            </h2>
            {first.currencies}
          </div>
          <p className="dash-figure" aria-live="polite">
            <Amount
              isPrivate
              headline
              value={money(portfolio.totalCents)}
              className={isNew ? 'text-2xl font-semibold' : 'text-figure font-semibold'}
            />
          </p>
          {!isNew && first.actions}
        </div>
        {!isNew && first.line}
        {!isNew && (
          <div className="dash-split">
            <Split
              parts={PARTS.filter((name) => ALWAYS.includes(name) || portfolio.parts[name] > 0n).map((name) =>
                part(partTexts[name], portfolio.parts[name], FILLS[name])
              )}
            />
          </div>
        )}
      </section>
      <div className="dash-columns">
        <Card
          title={dashboardTexts.staking(currency)}
          link={staking.orders > 0 ? { href: '/staking', text: dashboardTexts.allStakes } : undefined}
        >
          {staking.orders === 0 ? (
            <>
              <Amount isPrivate value={formatCents(stakingCents, currency)} className="text-2xl font-semibold" />
              <p className="mt-1 text-sm text-muted">{dashboardTexts.stakingCost}</p>
            </>
          ) : (
            <dl className="flex flex-wrap gap-x-10 gap-y-3">
              <Sum
                name={dashboardTexts.staked}
                value={money(portfolio.parts.staked)}
                lines={portfolio.all}
                part="stakedUnits"
                isLarge
              />
              {portfolio.parts.locked > 0n && (
                <Sum
                  name={dashboardTexts.locked}
                  value={money(portfolio.parts.locked)}
                  lines={portfolio.all}
                  part="lockedUnits"
                />
              )}
              <div>
                <dt className="text-sm text-muted">{dashboardTexts.youPaid}</dt>
                <dd>
                  <Amount isPrivate value={formatCents(stakingCents, currency)} className="font-semibold" />
                  <div className="text-sm text-muted">{dashboardTexts.stakingCostOf(staking.orders)}</div>
                </dd>
              </div>
            </dl>
          )}
          {first.term}
        </Card>
        <Card title={dashboardTexts.rewards} link={{ href: '/rewards', text: dashboardTexts.calendar }}>
          <dl className="grid max-sm:grid-cols-2 max-sm:gap-x-4">
            {portfolio.rewards.map((line) => (
              <div key={line.currency} className="flex min-h-14 items-center justify-between gap-4 max-sm:block max-sm:min-h-0">
                <dt className="flex items-center gap-3">
                  <span className="inline-flex max-sm:hidden">
                    <TokenMark code={line.currency} isLater />
                  </span>
                  <span>
                    <span className="block font-semibold max-sm:hidden">{line.currency}</span>
                    <span className="block text-sm text-muted">{dashboardTexts.rewardOf[line.currency]}</span>
                  </span>
                </dt>
                <dd className="text-right max-sm:text-left">
                  <Amount isPrivate value={formatShortUnits(line.units, line.currency)} className="font-semibold" />
                  <span className="font-semibold sm:hidden"> {line.currency}</span>
                  <div className="text-sm text-muted max-sm:hidden">
                    <Value line={line} currency={currency} />
                  </div>
                </dd>
              </div>
            ))}
          </dl>
          {rewarded && (
            <p className="text-sm max-sm:hidden">
              <a className="link inline-flex min-h-11 items-center" href={`/token-list?move=${rewarded.currency}&from=reward`}>
                {dashboardTexts.moveRewards}
              </a>
            </p>
          )}
        </Card>
      </div>
      <div className="dash-columns">
        <Card title={dashboardTexts.portfolio} link={{ href: '/token-list', text: dashboardTexts.allTokens }}>
          {first.strip}
          <table className="w-full">
            <caption className="sr-only">{dashboardTexts.caption}</caption>
            <thead className="hidden text-left text-sm text-muted sm:table-header-group">
              <tr>
                {(['token', 'price', 'balance', 'cost', 'value'] as const).map((head) => (
                  <th key={head} scope="col" className={`pb-2 font-medium ${head === 'token' ? '' : `text-right dash-${head}`}`}>
                    {dashboardTexts[head]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {[...portfolio.lines, ...portfolio.others].toSorted(byValue).map((line) => (
                <PortfolioRow
                  key={line.currency}
                  line={line}
                  currency={currency}
                  cost={costs.tokens?.find((one) => one.currency === line.currency)}
                />
              ))}
            </tbody>
          </table>
          <p className="mt-2 text-sm text-muted">{priceNote(tokens, timeZone)}</p>
        </Card>
        {first.allocation}
      </div>
      <ToastRegion />
    </>
  )
}

/** Largest value first; tokens of the same value keep the order of the catalogue. */
function byValue(one: PortfolioLine, other: PortfolioLine): number {
  return one.valueCents === other.valueCents ? 0 : one.valueCents < other.valueCents ? 1 : -1
}

type SumProps = { name: string; value: string; lines: PortfolioLine[]; part: 'stakedUnits' | 'lockedUnits'; isLarge?: boolean }

/** A value, and the amounts of the tokens that it is the value of. */
function Sum({ name, value, lines, part, isLarge = false }: SumProps) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd>
        <Amount isPrivate value={value} className={isLarge ? 'text-2xl font-semibold' : 'font-semibold'} />
        {lines.map(
          (line) =>
            line[part] !== '0' && (
              <div key={line.currency} className="text-sm text-muted">
                <Amount isPrivate value={formatShortUnits(line[part], line.currency)} unit={line.currency} />
              </div>
            )
        )}
      </dd>
    </div>
  )
}

type LineProps = { line: PortfolioLine; currency: View['currency'] }

function Value({ line: { priceUsd, valueCents }, currency }: LineProps) {
  return priceUsd === undefined ? dashboardTexts.noPrice : <Amount isPrivate value={formatCents(valueCents, currency)} />
}

type Cost = NonNullable<Answer<'getCost'>['tokens']>[number]

/** What the price did today. */
function Today({ cost }: { cost: Cost | undefined }) {
  const change = cost?.dayChange
  return typeof change === 'number' ? <span className={`figure ${toneOfChange(change)}`}>{formatPriceChange(change)}</span> : null
}

function Gain({ cost, currency }: { cost: Cost; currency: View['currency'] }) {
  const gain = BigInt(cost.gain)
  return (
    <>
      <i className="sr-only"> {dashboardTexts.gain} </i>
      <span className={`figure eye ${toneOfChange(gain)}`}>{formatChange(gain, currency)}</span>
    </>
  )
}

function PortfolioRow({ line, currency, cost }: LineProps & { cost: Cost | undefined }) {
  const { currency: code } = line
  const price = line.priceUsd === undefined ? undefined : formatPrice(line.priceUsd, code, currency)
  return (
    <tr className="dash-row">
      <th scope="row" className="text-left font-normal">
        <a className="token-cell" href={`/token/${code}`}>
          <TokenMark code={code} isLater />
          <span>
            <span className="block font-semibold">
              {line.name}
              <span className="figure eye ml-1.5 font-normal text-muted sm:hidden">{formatShortUnits(line.units, code)}</span>
            </span>
            <span className="block text-sm text-muted max-sm:hidden">{line.subName}</span>
          </span>
        </a>
      </th>
      <td className="dash-price">
        {price === undefined ? dashboardTexts.noPrice : <Amount value={price} />} <Today cost={cost} />
      </td>
      <td className="text-right max-sm:hidden">
        <Amount isPrivate value={formatShortUnits(line.units, code)} />
        {(['staked', 'locked'] as const).map(
          (part) =>
            line[`${part}Units`] !== '0' && (
              <div key={part} className="text-sm text-muted">
                <Amount isPrivate value={formatShortUnits(line[`${part}Units`], code)} /> {dashboardTexts.parts[part]}
              </div>
            )
        )}
      </td>
      <td className="dash-cost text-right">
        {cost && cost.averagePrice !== null && <Amount value={formatShortPrice(cost.averagePrice, code, currency, 'halfUp')} />}
        <div className="text-sm">{cost && line.units !== '0' ? <Gain cost={cost} currency={currency} /> : '–'}</div>
      </td>
      <td className="dash-value text-right font-semibold">
        <Value line={line} currency={currency} />
      </td>
    </tr>
  )
}
