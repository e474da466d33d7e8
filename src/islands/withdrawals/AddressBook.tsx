import { useStore } from '@nanostores/react'
import { Suspense, useState } from 'react'
import { createReauthentication } from '#lib/client/access/reauthentication.ts'
import { createAddressBook } from '#lib/client/withdrawals/addressBook.ts'
import type { KnownAddress, WithdrawalRules } from '#lib/client/withdrawals/figures.ts'
import { CHAINS } from '#lib/domain/chains/chains.ts'
import { formatMoment } from '#lib/format/dates.ts'
import { depositTexts } from '#messages/deposits/deposit.ts'
import { addressBookTexts as texts, withdrawTexts } from '#messages/withdrawals/withdraw.ts'
import { lazyPart } from '../platform/lazyPart.tsx'
import { ToastRegion } from '../platform/ToastRegion.tsx'
import { useEver } from '../platform/useEver.ts'
import { useForm } from '../platform/useForm.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Field } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import { Tag } from '../ui/Tag.tsx'

const Reauthenticate = lazyPart(() => import('../access/Reauthenticate.tsx'))

type Props = { addresses: KnownAddress[]; whitelist: WithdrawalRules['whitelist']; email: string; timeZone: string }

export function AddressBook({ addresses, whitelist, email, timeZone }: Props) {
  const [proof] = useState(() => createReauthentication())
  const [screen] = useState(() => createAddressBook({ addresses, whitelist }, proof.guarded))
  const wasProving = useEver(useStore(proof.state).isOpen)
  const known = useStore(screen.known)
  const { busy, chain, isListed, isOpen, error, field } = useForm(screen)
  return (
    <>
      <Card id="addresses" title={texts.title} className="mt-5">
        <p className="mt-1 text-sm text-muted">{texts.about}</p>
        {known.addresses.length === 0 ? (
          <p className="mt-4 text-muted">{texts.none}</p>
        ) : (
          <ul className="mt-3 divide-y divide-line">
            {known.addresses.map((one) => (
              <li key={one.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
                <div className="min-w-0">
                  <p className="flex flex-wrap items-center gap-x-3 font-medium">
                    {one.name || withdrawTexts.unnamed}
                    <span className="text-sm font-normal text-muted">{depositTexts.networks[one.chain]}</span>
                    {one.isListed ? (
                      <Tag tone="green">{texts.listed}</Tag>
                    ) : (
                      one.listedFrom && <Tag tone="gold">{texts.listedFrom(formatMoment(one.listedFrom, timeZone))}</Tag>
                    )}
                  </p>
                  <p className="figure text-sm break-all text-muted" translate="no">
                    {one.address}
                  </p>
                </div>
                <p className="flex flex-wrap gap-3">
                  {!one.listedFrom && (
                    <Button
                      look="quiet"
                      busy={busy === `list ${one.address}`}
                      busyLabel={texts.adding}
                      onClick={() => void screen.list(one)}
                    >
                      {texts.list}
                    </Button>
                  )}
                  <Button
                    look="quiet"
                    busy={busy === `remove ${one.address}`}
                    busyLabel={texts.removing}
                    aria-label={texts.removeIt(one.name || one.address)}
                    onClick={() => void screen.remove(one)}
                  >
                    {texts.remove}
                  </Button>
                </p>
              </li>
            ))}
          </ul>
        )}
        {isOpen ? (
          <div className="mt-4 max-w-xl border-t border-line pt-4">
            <Form onSubmit={() => screen.add()}>
              <Field {...field('name')} label={texts.name} name="address-name" maxLength={60} autoComplete="off" />
              <label className="grid gap-1.5 text-sm font-medium">
                {texts.network}
                <select className="input" value={chain} onChange={(event) => screen.choose(event.target.value)}>
                  {CHAINS.map((one) => (
                    <option key={one} value={one}>
                      {depositTexts.networks[one]}
                    </option>
                  ))}
                </select>
              </label>
              <Field
                {...field('address')}
                label={texts.address}
                name="book-address"
                className="figure"
                autoComplete="off"
                spellCheck={false}
              />
              {chain === 'cpc' && (
                <Field
                  {...field('publicKey')}
                  label={withdrawTexts.publicKey}
                  name="book-key"
                  className="figure"
                  autoComplete="off"
                  spellCheck={false}
                />
              )}
              <label className="flex min-h-11 items-center gap-3">
                <input
                  type="checkbox"
                  className="check"
                  checked={isListed}
                  onChange={(event) => screen.setListed(event.target.checked)}
                />
                {texts.list}
              </label>
              <div role="alert">{error && <p className="text-red">{error}</p>}</div>
              <Button type="submit" busy={busy === 'add'} busyLabel={texts.adding}>
                {texts.add}
              </Button>
            </Form>
          </div>
        ) : (
          <Button look="quiet" className="mt-4" onClick={() => screen.open(true)}>
            {texts.add}
          </Button>
        )}
        <section className="mt-6 border-t border-line pt-5" aria-labelledby="whitelist">
          <h3 id="whitelist" className="flex items-center gap-3 font-semibold">
            {texts.whitelist}
            <Tag tone={known.whitelist.isOn ? 'green' : 'grey'}>{known.whitelist.isOn ? texts.on : texts.off}</Tag>
            {known.whitelist.endsAt && <Tag tone="gold">{texts.endsAt(formatMoment(known.whitelist.endsAt, timeZone))}</Tag>}
          </h3>
          <p className="mt-1 text-sm text-muted">{texts.whitelistAbout}</p>
          <Button
            look="quiet"
            className="mt-4"
            busy={busy === 'whitelist'}
            busyLabel={texts.switching}
            onClick={() => void screen.setWhitelist(!known.whitelist.isOn || known.whitelist.endsAt !== null)}
          >
            {known.whitelist.isOn && known.whitelist.endsAt === null ? texts.switchOff : texts.switchOn}
          </Button>
        </section>
      </Card>
      {wasProving && (
        <Suspense>
          <Reauthenticate screen={proof} email={email} />
        </Suspense>
      )}
      <ToastRegion />
    </>
  )
}
