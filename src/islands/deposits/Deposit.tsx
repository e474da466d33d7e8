import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect, useState } from 'react'
import { type Deposit as Arrival, createDeposit, type DepositAddress } from '#lib/client/deposits/deposit.ts'
import { type ChainToken, chainOf, DEPOSITABLE } from '#lib/domain/chains/chains.ts'
import { minutesOf } from '#lib/domain/deposits/deposit.ts'
import { findToken } from '#lib/domain/money/currencies.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { depositTexts as texts } from '#messages/deposits/deposit.ts'
import { VerifyButton } from '../identity/VerifyButton.tsx'
import { ToastRegion } from '../platform/ToastRegion.tsx'
import { useFollow } from '../platform/useFollow.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { TokenMark } from '../ui/TokenMark.tsx'
import { Address } from './Address.tsx'
import { Arriving } from './Arriving.tsx'

const FOLLOW_MS = 10_000

type Props = {
  currency: ChainToken
  first: { address: DepositAddress | undefined; arrivals: Arrival[] }
  /** In smallest units. */
  smallest: string
  confirmations: number
  timeZone: string
  isVerified: boolean
  reviewStatus: string
  /** The last transfers. */
  children?: ReactNode
}

/** Token, network and address to send to; beside them, the deposits on their way. */
export function Deposit({ currency, first, smallest, confirmations, timeZone, isVerified, reviewStatus, children }: Props) {
  const [screen] = useState(() => createDeposit(currency, first))
  const { address, arrivals, error, isAsking } = useStore(screen.state)
  const chain = chainOf(currency)
  const network = texts.networks[chain]
  const minimum = `${formatExactUnits(smallest, currency)} ${currency}`

  useEffect(() => {
    if (!first.address) void screen.ask()
  }, [screen, first.address])
  useFollow(screen.follow, true, FOLLOW_MS)

  return (
    <>
      {!isVerified && <VerifyFirst reviewStatus={reviewStatus} />}
      <div className="grid items-start gap-5 *:min-w-0 lg:grid-cols-[3fr_2fr]">
        <section className="card deal-choices" aria-label={texts.title}>
          {isVerified && (
            <p className="note flex gap-3 bg-green-tint text-sm text-green">
              <Icon>
                <path d="M12 3l7.5 3v5.5c0 4.5-3.1 7.9-7.5 9.5-4.4-1.6-7.5-5-7.5-9.5V6zM8.5 12l2.5 2.5 4.5-5" />
              </Icon>
              <span>
                <b className="font-semibold">{texts.verified}</b> {texts.verifiedAbout}
              </span>
            </p>
          )}
          <div>
            <h2 className="mb-2 font-semibold">{texts.chooseCrypto}</h2>
            <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(4.25rem,100%),1fr))] gap-2 *:min-w-0">
              {DEPOSITABLE.map((code) => (
                <li key={code}>
                  <a href={`/deposit/${code}`} aria-current={code === currency ? 'page' : undefined} className="deal-token">
                    <TokenMark code={code} />
                    <span className="min-w-0">
                      <b>{code}</b>
                      <small className="max-sm:hidden">{findToken(code)?.subName}</small>
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          </div>
          <div>
            <h2 className="mb-2 font-semibold">{texts.network}</h2>
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control border border-dashed border-strong-line px-4 py-3">
              <Icon>
                <path d="M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3" />
              </Icon>
              <b className="font-semibold">{network}</b>
              <span className="text-sm text-muted sm:ml-auto">{texts.oneNetwork(currency)}</span>
            </p>
          </div>
          <div className="grid justify-items-center gap-3">
            <h2 className="sr-only">{texts.sendTo}</h2>
            {address ? (
              <Address currency={currency} address={address} />
            ) : (
              <div aria-busy={isAsking} className="grid justify-items-center gap-3">
                <span className="skeleton size-52" />
                <p className="text-sm text-muted">{isAsking ? texts.gettingAddress : texts.needsScript}</p>
              </div>
            )}
            <div role="alert">{error && <p className="text-sm text-red">{error}</p>}</div>
            {!address && error && (
              <Button look="quiet" onClick={() => void screen.ask()}>
                {texts.tryAgain}
              </Button>
            )}
            {address && chain === 'bitcoin' && (
              <button
                type="button"
                className="link -mt-3 min-h-11 text-sm"
                disabled={isAsking}
                onClick={() => void screen.ask(true)}
              >
                {texts.newAddress}
              </button>
            )}
            <dl className="w-full divide-y divide-line rounded-control border border-line">
              <Fact name={texts.minimum} value={minimum} />
              <Fact name={texts.creditedAfter} value={texts.after(confirmations, minutesOf(currency, confirmations))} />
            </dl>
            <p className="text-center text-sm text-muted">
              {texts.onlyToken(currency, network)} {texts.onlyTokenAbout} {texts.atLeastAbout(minimum)}
            </p>
          </div>
        </section>
        <div className={`grid grid-cols-[minmax(0,1fr)] gap-5 ${arrivals.length > 0 ? 'max-lg:order-first' : ''}`}>
          <div aria-live="polite" className="grid gap-5 empty:hidden">
            {arrivals.map((one) => (
              <Arriving key={one.id} deposit={one} currency={currency} timeZone={timeZone} />
            ))}
          </div>
          {children}
          <section className="card roomy" aria-labelledby="tips">
            <h2 id="tips" className="section-title">
              {texts.tips}
            </h2>
            <ul className="mt-3 grid gap-3 text-sm">
              <Tip strong={texts.stays}>{chain === 'bitcoin' ? texts.oldAddressesAbout : texts.staysAbout}</Tip>
              <Tip strong={texts.mail}>{texts.mailAbout}</Tip>
              <Tip strong={texts.noWaiting}>{texts.noWaitingAbout}</Tip>
              <Tip strong={texts.sender}>{texts.senderAbout}</Tip>
            </ul>
          </section>
        </div>
        <ToastRegion />
      </div>
    </>
  )
}

/** Before the identity check an address is given, but what arrives there cannot leave yet: this is said first. */
function VerifyFirst({ reviewStatus }: { reviewStatus: string }) {
  return (
    <section className="card roomy mb-5" aria-labelledby="verify-first">
      <p className="text-sm font-semibold text-gold">{texts.beforeYouSend}</p>
      <h2 id="verify-first" className="section-title">
        {texts.verifyFirst}
      </h2>
      <p className="mt-1 mb-4 text-sm text-muted">{texts.verifyFirstAbout}</p>
      <VerifyButton status={reviewStatus} look="primary" />
    </section>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 px-4 py-2.5">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="ml-auto text-right font-semibold">{value}</dd>
    </div>
  )
}

function Tip({ strong, children }: { strong: string; children: ReactNode }) {
  return (
    <li>
      <b className="font-semibold">{strong}</b> <span className="text-muted">{children}</span>
    </li>
  )
}
