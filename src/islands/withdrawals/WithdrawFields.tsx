/** The fields of a withdrawal: which token, to where, how much, and to whom where the law asks. */
import type { useForm } from '#islands/platform/useForm.ts'
import type { Figures, KnownAddress } from '#lib/client/withdrawals/figures.ts'
import type { createWithdraw } from '#lib/client/withdrawals/withdraw.ts'
import { type ChainToken, chainOf, WITHDRAWABLE } from '#lib/domain/chains/chains.ts'
import { smallestWithdrawal, WITHDRAWAL_FEES } from '#lib/domain/withdrawals/withdrawal.ts'
import { formatExactUnits, formatShortUnits } from '#lib/format/amount.ts'
import { depositTexts } from '#messages/deposits/deposit.ts'
import { withdrawTexts as texts } from '#messages/withdrawals/withdraw.ts'
import { Field } from '../ui/Field.tsx'
import { Icon } from '../ui/Icon.tsx'
import { TokenMark } from '../ui/TokenMark.tsx'

type WithdrawScreen = ReturnType<typeof createWithdraw>
/** Smallest units of each token that can be withdrawn: spot, and funding that is not frozen. */
export type Holdings = Record<string, { spot: string; funding: string }>
type Form = ReturnType<typeof useForm<Parameters<WithdrawScreen['type']>[0], ReturnType<WithdrawScreen['state']['get']>>>
type Props = { screen: WithdrawScreen; form: Form; currency: ChainToken }

/** Text that is copied, not written: no completion, no spelling, no translation. */
const EXACT = { autoComplete: 'off', spellCheck: false, translate: 'no', className: 'figure' } as const

export function TokenChoice({ currency, holdings }: { currency: ChainToken; holdings: Holdings }) {
  const unitsOf = (code: string) => BigInt(holdings[code]?.spot ?? 0) + BigInt(holdings[code]?.funding ?? 0)
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium">{texts.crypto}</legend>
      <ul className="grid grid-cols-4 gap-2">
        {WITHDRAWABLE.map((code) => (
          <li key={code}>
            <a href={`/withdraw/${code}`} aria-current={code === currency ? 'page' : undefined} className="deal-token">
              <TokenMark code={code} />
              <span className="min-w-0">
                <b>{code}</b>
                <small className="figure eye">{formatShortUnits(unitsOf(code), code)}</small>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

/** The receiver: an address, typed or from the address book, its network, and for CPC its public key. */
export function Receiver({ screen, form, currency, addresses }: Props & { addresses: KnownAddress[] }) {
  const chain = chainOf(currency)
  const { field, said, isBusy } = form
  return (
    <>
      <div className="relative">
        <Field
          {...field('address')}
          {...EXACT}
          label={texts.address}
          name="address"
          placeholder={texts.addressPlaceholder(currency)}
          readOnly={isBusy}
          hint={said}
          isGood={said !== undefined}
          aside={<span className="min-h-8" />}
        />
        <KnownAddresses addresses={addresses.filter((one) => one.chain === chain)} onUse={screen.useAddress} />
      </div>
      {chain === 'cpc' && (
        <Field
          {...field('publicKey')}
          {...EXACT}
          label={texts.publicKey}
          name="publicKey"
          readOnly={isBusy}
          hint={texts.publicKeyHint}
        />
      )}
      <div>
        <p className="mb-1.5 text-sm font-medium">{texts.network}</p>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control border border-dashed border-strong-line px-4 py-3">
          <Icon>
            <path d="M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3" />
          </Icon>
          <b className="font-semibold">{depositTexts.networks[chain]}</b>
          <span className="text-sm text-muted">{depositTexts.oneNetwork(currency)}</span>
        </p>
      </div>
    </>
  )
}

function KnownAddresses({ addresses, onUse }: { addresses: KnownAddress[]; onUse: (address: KnownAddress) => void }) {
  if (addresses.length === 0) return null
  return (
    <details className="deal-book">
      <summary className="link">{texts.addressBook}</summary>
      <ul className="grid">
        {addresses.map((one) => (
          <li key={one.id}>
            <button
              type="button"
              className="flex min-h-11 w-full flex-wrap items-baseline gap-x-3 text-left"
              onClick={() => onUse(one)}
            >
              <b className="font-semibold">{one.name || texts.unnamed}</b>
              <span className="figure text-sm break-all text-muted" translate="no">
                {one.address}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Red above what spot has; the rest comes from funding. `has`: both together. */
export function Amount({ screen, form, currency, figures, spot, has }: Props & { figures: Figures; spot: bigint; has: bigint }) {
  const { amount, from, units } = figures
  const shown = (value: bigint) => `${formatExactUnits(value, currency)} ${currency}`
  const isMoreThanSpot = units !== undefined && amount > spot && amount <= has
  const least = smallestWithdrawal(currency)
  const about =
    has < least
      ? texts.leastMissing(shown(least), shown(least - has))
      : texts.least(shown(WITHDRAWAL_FEES[currency]), shown(least))
  return (
    <Field
      {...form.field('amount')}
      label={texts.amount}
      name="amount"
      inputMode="decimal"
      autoComplete="off"
      placeholder={texts.minimumHint}
      onBlur={screen.leaveAmount}
      className={`figure text-xl ${units !== undefined && amount > spot ? 'text-red' : ''}`}
      readOnly={form.isBusy}
      hint={isMoreThanSpot ? <span className="eye">{texts.fromBoth(shown(from.spot), shown(from.funding))}</span> : about}
      aside={
        <span className="text-sm text-muted">
          {texts.available} <b className="figure eye font-semibold text-ink">{shown(has)}</b>
        </span>
      }
      end={
        <button type="button" className="field-act" onClick={screen.takeAll}>
          {texts.max}
        </button>
      }
    />
  )
}

/** Who receives it; asked above EUR 1,000 (spec section 9). Name and address are asked for only of somebody else. */
export function PartyDetails({ screen, form, verifiedName }: Omit<Props, 'currency'> & { verifiedName: string | null }) {
  const { field, party, holder, isBusy } = form
  return (
    <>
      <fieldset className="grid gap-2 border-t border-line pt-4">
        <legend className="sr-only">{texts.details}</legend>
        <p className="font-semibold">{texts.details}</p>
        <p className="text-sm text-muted">{texts.detailsAbout}</p>
        {(['self', 'other'] as const).map((one) => (
          <label key={one} className="choice items-center">
            <input type="radio" name="party" className="check" checked={party === one} onChange={() => screen.choose(one)} />
            <span>
              <b>{one === 'self' ? texts.self(verifiedName) : texts.other}</b>
              {(one === 'other' || verifiedName) && <small>{one === 'self' ? texts.verifiedName : texts.otherAbout}</small>}
            </span>
          </label>
        ))}
        {(party === 'other' || !verifiedName) && (
          <Field {...field('name')} label={texts.fullName} name="party-name" autoComplete="off" readOnly={isBusy} />
        )}
        {party === 'other' && (
          <Field
            {...field('partyAddress')}
            label={texts.partyAddress}
            name="party-address"
            autoComplete="off"
            readOnly={isBusy}
          />
        )}
      </fieldset>
      <fieldset className="grid gap-2">
        <legend className="mb-2 font-semibold">{texts.where}</legend>
        {(['own', 'service'] as const).map((one) => (
          <label key={one} className="choice items-center">
            <input type="radio" name="holder" className="check" checked={holder === one} onChange={() => screen.hold(one)} />
            <b>{one === 'own' ? texts.ownWallet : texts.exchange}</b>
          </label>
        ))}
        {holder === 'service' && (
          <Field {...field('service')} label={texts.service} name="party-service" autoComplete="off" readOnly={isBusy} />
        )}
      </fieldset>
    </>
  )
}
