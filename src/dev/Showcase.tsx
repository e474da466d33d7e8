import { type ReactNode, useState } from 'react'
import { notify } from '#lib/client/platform/toasts.ts'
import { CopyText } from '../islands/platform/CopyText.tsx'
import { ToastRegion } from '../islands/platform/ToastRegion.tsx'
import { Actions } from '../islands/ui/Actions.tsx'
import { Amount } from '../islands/ui/Amount.tsx'
import { Button } from '../islands/ui/Button.tsx'
import { CodeField } from '../islands/ui/CodeField.tsx'
import { Dialog } from '../islands/ui/Dialog.tsx'
import { Explain } from '../islands/ui/Explain.tsx'
import { Facts } from '../islands/ui/Facts.tsx'
import { Field } from '../islands/ui/Field.tsx'
import { Cell, Row, RowHead } from '../islands/ui/List.tsx'
import { PasswordField } from '../islands/ui/PasswordField.tsx'
import { Split } from '../islands/ui/Split.tsx'
import { Tag } from '../islands/ui/Tag.tsx'
import { TokenMark } from '../islands/ui/TokenMark.tsx'

const IBAN = 'DE89 3704 0044 0532 0130 00'

/** The live parts of the design, each with its states. */
export function Showcase() {
  const [text, setText] = useState('ada@example.com')
  const [code, setCode] = useState('')
  const [open, setOpen] = useState(false)
  const [cents, setCents] = useState(95680)

  return (
    <>
      <Part title="Buttons">
        <div className="flex flex-wrap gap-3">
          <Button>Primary</Button>
          <Button look="quiet">Quiet</Button>
          <Button disabled>Disabled</Button>
          <Button busy busyLabel="Processing...">
            Payment Confirmed
          </Button>
          <Button look="quiet" busy busyLabel="Sending…">
            Resend
          </Button>
        </div>
      </Part>
      <Part title="Fields">
        <div className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
          <Field label="Filled" value={text} onText={setText} hint="A hint says what is expected." />
          <Field label="Empty" value="" onText={() => undefined} placeholder="name@example.com" />
          <Field label="Wrong" value="ada@" onText={() => undefined} error="Email format is invalid" />
          <Field label="Locked" value={text} onText={() => undefined} readOnly />
          <PasswordField label="Password" value="correct horse" onText={() => undefined} autoComplete="off" />
          <CodeField label="Code" digits={6} value={code} onText={setCode} />
        </div>
      </Part>
      <Part title="Figures">
        <div className="flex flex-wrap items-center gap-x-8 gap-y-4">
          <Amount value={`€${(cents / 100).toFixed(2)}`} className="text-3xl font-semibold" />
          <Amount value="1,111,111.111" unit="PTC" className="text-lg font-semibold" />
          <TokenMark code="CPC" isLater />
          <TokenMark code="PTC" isLater />
          <TokenMark code="BTC" isLater />
          <Tag tone="gold">Pending</Tag>
          <Tag tone="blue">Processing</Tag>
          <Tag tone="green">Completed</Tag>
          <Tag tone="grey">Unknown</Tag>
          <Button look="quiet" onClick={() => setCents(cents + 4)}>
            Change the figure
          </Button>
        </div>
      </Part>
      <Part title="Facts, copying, waiting">
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <div className="card p-5">
            <Facts
              facts={[
                { label: 'Fiat amount', value: <Amount value="$1,000.00" />, hint: '€920.00 at €0.92 per $1' },
                { label: 'Total to pay', value: <Amount value="$1,040.00" />, strong: true },
                { label: 'EURO IBAN', value: <Iban /> }
              ]}
            />
          </div>
          <div className="card grid gap-4 p-5" aria-hidden="true">
            {['a', 'b', 'c'].map((line) => (
              <span key={line} className="flex justify-between gap-8">
                <span className="skeleton h-5 w-28" />
                <span className="skeleton h-5 w-40" />
              </span>
            ))}
          </div>
          <div className="hero p-5 sm:col-span-2">
            <Split
              parts={[
                { label: 'Wallet', value: '$620.00', share: 62, fill: 'fill-mint' },
                { label: 'Staked', value: '$330.00', share: 33, fill: 'fill-coin' },
                { label: 'Rewards', value: '$50.00', share: 5, fill: 'fill-on-hero' }
              ]}
            />
          </div>
        </div>
      </Part>
      <Part title="Lists, explanations, choices">
        <div className="card">
          {/* biome-ignore lint/a11y/noRedundantRoles: on a phone CSS makes cards of its rows */}
          <table role="table" className="list">
            <caption className="sr-only">A list</caption>
            <thead>
              <tr>
                <th scope="col">Crypto</th>
                <th scope="col" className="num">
                  <Explain label="Available" text="What it means, on a press." />
                </th>
                <th scope="col">Action</th>
              </tr>
            </thead>
            <tbody>
              {['CPC', 'PTC'].map((token) => (
                <Row key={token}>
                  <RowHead>
                    <b>{token}</b>
                    <small>A token</small>
                  </RowHead>
                  <Cell className="num" label="Available">
                    <Amount value="1,000.000" />
                  </Cell>
                  <Cell className="acts">
                    <a href="/sandbox">Deposit</a>
                    <button type="button">Transfer</button>
                  </Cell>
                </Row>
              ))}
            </tbody>
          </table>
        </div>
        <fieldset className="mt-5 grid gap-2 sm:grid-cols-2">
          <legend className="sr-only">A choice</legend>
          {['Spot to funding', 'Funding to spot'].map((label, index) => (
            <label key={label} className="choice">
              <input type="radio" name="choice" className="check" defaultChecked={index === 0} />
              <span>
                <b>{label}</b>
                <small>With what it means.</small>
              </span>
            </label>
          ))}
        </fieldset>
        <Actions busy={false} busyLabel="Saving…" label="Save" onCancel={() => undefined} />
      </Part>
      <Part title="Dialog and notices">
        <div className="flex flex-wrap gap-3">
          <Button look="quiet" onClick={() => setOpen(true)}>
            Open the dialog
          </Button>
          <Button look="quiet" onClick={() => notify('success', 'Copy successfully')}>
            Success
          </Button>
          <Button look="quiet" onClick={() => notify('error', 'Something went wrong')}>
            Error
          </Button>
        </div>
      </Part>
      <Dialog
        title="A dialog"
        open={open}
        onClose={() => setOpen(false)}
        footer={<Button onClick={() => setOpen(false)}>Done</Button>}
      >
        <p className="text-muted">It takes the focus, closes on Escape and gives the focus back.</p>
      </Dialog>
      <ToastRegion />
    </>
  )
}

function Iban() {
  return (
    <span className="inline-flex items-center gap-1">
      <span className="tabular-nums">{IBAN}</span>
      <CopyText text={IBAN} label="IBAN" />
    </span>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="section-title mb-4">{title}</h2>
      {children}
    </section>
  )
}
