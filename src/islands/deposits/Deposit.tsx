import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { type Deposit as Arrival, createDeposit, type DepositAddress } from '#lib/client/deposits/deposit.ts'
import { drawQr } from '#lib/client/platform/qr.ts'
import { type ChainToken, chainOf, DEPOSITABLE } from '#lib/domain/chains/chains.ts'
import { findToken } from '#lib/domain/money/currencies.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { formatMoment } from '#lib/format/dates.ts'
import { depositTexts as texts } from '#messages/deposits/deposit.ts'
import { CopyText } from '../platform/CopyText.tsx'
import { ToastRegion } from '../platform/ToastRegion.tsx'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { TokenMark } from '../ui/TokenMark.tsx'

const FOLLOW_MS = 10_000
/** Average seconds per block. */
const BLOCK_SECONDS: Record<ChainToken, number> = { BTC: 600, ETH: 12, USDC: 12, CPC: 60 }

type Props = {
  currency: ChainToken
  first: { address: DepositAddress | undefined; arrivals: Arrival[] }
  /** In smallest units. */
  smallest: string
  confirmations: number
  timeZone: string
}

/** The steps of a deposit (token, network, address), and the deposits on their way. */
export function Deposit({ currency, first, smallest, confirmations, timeZone }: Props) {
  const [screen] = useState(() => createDeposit(currency, first))
  const { address, arrivals, error, isAsking } = useStore(screen.state)
  const chain = chainOf(currency)
  const network = texts.networks[chain]
  const minimum = `${formatExactUnits(smallest, currency)} ${currency}`

  useEffect(() => {
    if (!first.address) void screen.ask()
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void screen.follow()
    }, FOLLOW_MS)
    return () => clearInterval(timer)
  }, [screen, first.address])

  return (
    <div className="grid items-start gap-5 *:min-w-0 lg:grid-cols-[3fr_2fr]">
      <section className="card roomy max-lg:order-2 lg:row-span-2" aria-label={texts.title}>
        <ol className="grid gap-7">
          <Step done title={texts.chooseCrypto}>
            <ul className="grid grid-cols-2 gap-2 sm:grid-cols-4">
              {DEPOSITABLE.map((code) => (
                <li key={code}>
                  <a
                    href={`/deposit/${code}`}
                    aria-current={code === currency ? 'page' : undefined}
                    className="flex min-h-14 items-center gap-2.5 rounded-control border border-strong-line px-3 no-underline aria-[current]:border-accent aria-[current]:bg-accent-tint"
                  >
                    <TokenMark code={code} />
                    <span>
                      <b className="block font-semibold">{code}</b>
                      <small className="text-muted">{findToken(code)?.subName}</small>
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          </Step>
          <Step done title={texts.network}>
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control border border-dashed border-strong-line px-4 py-3">
              <Icon>
                <path d="M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3" />
              </Icon>
              <b className="font-semibold">{network}</b>
              <span className="text-sm text-muted">{texts.oneNetwork(currency)}</span>
            </p>
          </Step>
          <Step title={texts.sendTo}>
            {address ? (
              <Address currency={currency} address={address} />
            ) : (
              <div aria-busy={isAsking} className="grid gap-3">
                <span className="skeleton h-40 w-40" />
                <p className="text-sm text-muted">{isAsking ? texts.gettingAddress : texts.needsScript}</p>
              </div>
            )}
            <div role="alert">{error && <p className="mt-3 text-sm text-red">{error}</p>}</div>
            <p className="mt-3 flex flex-wrap gap-x-6">
              {!address && error && (
                <Button look="quiet" onClick={() => void screen.ask()}>
                  {texts.tryAgain}
                </Button>
              )}
              {address && chain === 'bitcoin' && (
                <button type="button" className="link min-h-11" disabled={isAsking} onClick={() => void screen.ask(true)}>
                  {texts.newAddress}
                </button>
              )}
            </p>
            <dl className="mt-2 flex flex-wrap gap-x-8 gap-y-3 border-t border-line pt-4 text-sm">
              <Fact name={texts.minimum} value={minimum} />
              <Fact name={texts.confirmations} value={String(confirmations)} />
              <Fact name={texts.creditedIn} value={texts.about(minutesOf(currency, confirmations))} />
            </dl>
          </Step>
        </ol>
      </section>
      <div aria-live="polite" className="grid gap-5 empty:hidden max-lg:order-1">
        {arrivals.map((one) => (
          <Arriving key={one.id} deposit={one} currency={currency} timeZone={timeZone} />
        ))}
      </div>
      <section className="card roomy max-lg:order-3" aria-labelledby="tips">
        <h2 id="tips" className="section-title">
          {texts.tips}
        </h2>
        <ul className="mt-3 grid gap-3">
          <Tip strong={texts.onlyToken(currency, network)}>{texts.onlyTokenAbout}</Tip>
          <Tip strong={texts.atLeast(minimum)}>{texts.atLeastAbout}</Tip>
          <Tip strong={texts.noWaiting}>{texts.noWaitingAbout}</Tip>
          {chain === 'bitcoin' && <Tip strong={texts.oldAddresses}>{texts.oldAddressesAbout}</Tip>}
        </ul>
        <a className="link mt-2 inline-flex min-h-11 items-center" href="/package-history?tab=deposit">
          {texts.allDeposits}
        </a>
      </section>
      <ToastRegion />
    </div>
  )
}

const minutesOf = (currency: ChainToken, blocks: number) => Math.max(1, Math.ceil((blocks * BLOCK_SECONDS[currency]) / 60))

function Step({ title, done = false, children }: { title: string; done?: boolean; children: React.ReactNode }) {
  return (
    <li>
      <h2 className="mb-3 flex items-center gap-2.5 font-semibold">
        <span className={done ? 'text-green' : 'text-accent'}>
          <Icon>{done ? <path d="M5 12.5l4.5 4.5L19 7.5" /> : <path d="M12 4v12M7 11l5 5 5-5M5 20h14" />}</Icon>
        </span>
        {title}
      </h2>
      {children}
    </li>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="text-muted">{name}</dt>
      <dd className="figure font-semibold">{value}</dd>
    </div>
  )
}

function Tip({ strong, children }: { strong: string; children: React.ReactNode }) {
  return (
    <li>
      <b className="font-semibold">{strong}</b> <span className="text-muted">{children}</span>
    </li>
  )
}

/** Groups of four, because people compare addresses by groups. */
function groupsOf(address: string): string[] {
  return address.includes('-') ? address.split(/(?<=-)/) : (address.match(/.{1,4}/g) ?? [])
}

function Address({ currency, address: { address, accountId, publicKey } }: { currency: ChainToken; address: DepositAddress }) {
  const groups = groupsOf(address)
  const isEnd = (index: number) =>
    index === 0 || index === groups.length - 1 || (index === groups.length - 2 && !address.includes('-'))
  return (
    <>
      <div className="flex flex-wrap items-start gap-5">
        <img src={drawQr(address)} alt={texts.qr(currency)} width="160" height="160" className="rounded-control" />
        <div className="min-w-0 flex-1 basis-56">
          <p className="text-sm text-muted">{texts.yourAddress(currency)}</p>
          <p className="figure mt-1 flex flex-wrap gap-x-1.5 text-lg" translate="no" data-address={address}>
            {groups.map((group, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: groups may repeat and never move
              <span key={index} className={isEnd(index) ? 'font-semibold' : 'text-muted'}>
                {group}
              </span>
            ))}
          </p>
          <p className="-ml-2">
            <CopyText text={address} label={texts.address} word={texts.copyAddress} />
          </p>
        </div>
      </div>
      {accountId && publicKey && (
        <details className="mt-3">
          <summary className="min-h-11 content-center font-medium">{texts.moreAsked}</summary>
          <dl className="grid gap-2 text-sm">
            {(
              [
                [texts.accountId, accountId],
                [texts.publicKey, publicKey]
              ] as const
            ).map(([name, value]) => (
              <div key={name}>
                <dt className="text-muted">{name}</dt>
                <dd className="figure flex items-center gap-2">
                  <span className="min-w-0 break-all whitespace-normal">{value}</span>
                  <CopyText text={value} label={name} />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  )
}

function Arriving({ deposit, currency, timeZone }: { deposit: Arrival; currency: ChainToken; timeZone: string }) {
  const { status, confirmations: seen, confirmationsNeeded: needed, amount, createdAt } = deposit
  const isCredited = status === 'CREDITED'
  const id = deposit.txId ?? deposit.transactionHash ?? ''
  return (
    <section className="card roomy" aria-label={texts.transaction}>
      <h2 className="flex items-center justify-between gap-3 font-semibold">
        {isCredited ? texts.credited : texts.weSee(seen, needed)}
        <TokenMark code={currency} />
      </h2>
      <p className="figure mt-2 text-2xl font-semibold">
        <span className="eye">+{formatExactUnits(amount, currency)}</span>{' '}
        <span className="text-base font-normal text-muted">{currency}</span>
      </p>
      {isCredited ? (
        <p className="mt-2 text-sm text-muted">{texts.inSpot}</p>
      ) : (
        <>
          <div
            role="progressbar"
            aria-label={texts.confirmations}
            aria-valuemin={0}
            aria-valuemax={needed}
            aria-valuenow={seen}
            className="mt-3 flex gap-1"
          >
            {Array.from({ length: needed }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they never move
              <span key={index} className={`h-2 flex-1 rounded-full ${index < seen ? 'bg-accent' : 'bg-line'}`} />
            ))}
          </div>
          <p className="mt-1 text-sm text-muted">
            <b className="font-semibold text-ink">{texts.progress(seen, needed)}</b>{' '}
            {texts.creditedAt(needed, minutesOf(currency, needed - seen))}
          </p>
        </>
      )}
      <p className="mt-2 text-sm text-muted">
        {texts.seenAt} {formatMoment(createdAt, timeZone)}
      </p>
      <p className="flex items-center gap-x-2 text-sm text-muted">
        {texts.transaction}
        <span className="figure" translate="no">
          {id.slice(0, 8)}…{id.slice(-6)}
        </span>
        <CopyText text={id} label={texts.transaction} />
      </p>
    </section>
  )
}
