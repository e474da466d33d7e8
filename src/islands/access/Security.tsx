import { useStore } from '@nanostores/react'
import { type RefObject, useRef } from 'react'
import type { createSecurity } from '#lib/client/access/security.ts'
import type { Security as SecurityData } from '#lib/contract/types.ts'
import { formatMoment } from '#lib/format/dates.ts'
import { signInMethods } from '#messages/access/profile.ts'
import { profilePageTexts } from '#messages/access/profilePage.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Tag } from '../ui/Tag.tsx'
import { useHydrated } from '../ui/useHydrated.ts'

type Screen = ReturnType<typeof createSecurity>

type Props = { security: SecurityData; screen: Screen; timeZone: string; onPassword: () => void }

export function Security({ security, screen, timeZone, onPassword }: Props) {
  const { busy } = useStore(screen.state)
  const isHydrated = useHydrated()
  return (
    <Card id="security-title" title={profilePageTexts.security}>
      <WithdrawalNote withdrawals={security.withdrawals} timeZone={timeZone} />
      <div className="mt-5 grid gap-x-10 gap-y-8 lg:grid-cols-2">
        <Passkeys passkeys={security.passkeys} screen={screen} busy={busy} timeZone={timeZone} />
        <Totp totp={security.totp} screen={screen} busy={busy} />
      </div>
      <p className="set-row mt-6">
        <span>
          <b>{profilePageTexts.password}</b>
          <small>{profilePageTexts.passwordAbout}</small>
        </span>
        <button type="button" className="link" disabled={!isHydrated} onClick={onPassword}>
          {profilePageTexts.changePassword}
        </button>
      </p>
      <Sessions sessions={security.sessions} screen={screen} busy={busy} timeZone={timeZone} />
    </Card>
  )
}

function WithdrawalNote({ withdrawals: { reason, until }, timeZone }: Zoned & Pick<SecurityData, 'withdrawals'>) {
  if (reason === 'locked') return <p className="note mt-4 bg-red-tint text-red">{profilePageTexts.withdrawalsLocked}</p>
  if (reason === 'held') return <p className="note mt-4 bg-gold-tint text-gold">{profilePageTexts.withdrawalsHeld}</p>
  if (reason === 'resting' && until)
    return <p className="note mt-4 bg-gold-tint text-gold">{profilePageTexts.withdrawalsRest(formatMoment(until, timeZone))}</p>
  return null
}

/** Moves the focus to the heading of the section, because the pressed button may be gone. */
async function thenFocus(doing: Promise<void>, heading: RefObject<HTMLHeadingElement | null>): Promise<void> {
  await doing
  if (document.activeElement === document.body) heading.current?.focus()
}

type Zoned = { timeZone: string }
type Part = { screen: Screen; busy: string | undefined }

function Passkeys({ passkeys, screen, busy, timeZone }: Part & Zoned & Pick<SecurityData, 'passkeys'>) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <section aria-labelledby="passkeys">
      <h3 id="passkeys" ref={heading} tabIndex={-1} className="font-semibold">
        {profilePageTexts.passkeys}
      </h3>
      <p className="mt-1 text-sm text-muted">{profilePageTexts.passkeysAbout}</p>
      {passkeys.length > 0 && (
        <ul className="mt-3 divide-y divide-line">
          {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
            <li key={id} className="flex items-center justify-between gap-4 py-3">
              <div className="min-w-0">
                <p className="truncate font-medium">{name}</p>
                <p className="text-sm text-muted">
                  {lastUsedAt
                    ? profilePageTexts.lastUsed(formatMoment(lastUsedAt, timeZone))
                    : profilePageTexts.added(formatMoment(createdAt, timeZone))}
                </p>
              </div>
              <Button
                look="quiet"
                busy={busy === id}
                busyLabel={profilePageTexts.removing}
                aria-label={profilePageTexts.removePasskey(name)}
                onClick={() => void thenFocus(screen.removePasskey(id), heading)}
              >
                {profilePageTexts.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Button look="quiet" className="mt-4" onClick={screen.openPasskey}>
        {profilePageTexts.addPasskey}
      </Button>
    </section>
  )
}

function Totp({ totp: { isEnabled, recoveryCodesLeft }, screen, busy }: Part & Pick<SecurityData, 'totp'>) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <section aria-labelledby="totp">
      <h3 id="totp" ref={heading} tabIndex={-1} className="flex items-center gap-3 font-semibold">
        {profilePageTexts.totp}
        <Tag tone={isEnabled ? 'green' : 'grey'}>{isEnabled ? profilePageTexts.on : profilePageTexts.off}</Tag>
      </h3>
      <p className="mt-1 text-sm text-muted">{profilePageTexts.totpAbout}</p>
      {isEnabled ? (
        <>
          <p className={`mt-3 text-sm ${recoveryCodesLeft < 3 ? 'font-medium text-gold' : 'text-muted'}`}>
            {profilePageTexts.recoveryCodesLeft(recoveryCodesLeft)}
          </p>
          <div className="mt-4 flex flex-wrap gap-3">
            <Button
              look="quiet"
              busy={busy === 'recoveryCodes'}
              busyLabel={profilePageTexts.oneMoment}
              onClick={() => void screen.renewRecoveryCodes()}
            >
              {profilePageTexts.newRecoveryCodes}
            </Button>
            <Button
              look="quiet"
              busy={busy === 'disableTotp'}
              busyLabel={profilePageTexts.removing}
              onClick={() => void thenFocus(screen.disableTotp(), heading)}
            >
              {profilePageTexts.removeTotp}
            </Button>
          </div>
        </>
      ) : (
        <Button
          look="quiet"
          className="mt-4"
          busy={busy === 'totp'}
          busyLabel={profilePageTexts.oneMoment}
          onClick={() => void screen.startTotp()}
        >
          {profilePageTexts.addTotp}
        </Button>
      )}
    </section>
  )
}

function Sessions({ sessions, screen, busy, timeZone }: Part & Zoned & Pick<SecurityData, 'sessions'>) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <section className="border-t border-line pt-6" aria-labelledby="sessions">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 id="sessions" ref={heading} tabIndex={-1} className="font-semibold">
          {profilePageTexts.sessions}
        </h3>
        {sessions.length > 1 && (
          <Button
            look="quiet"
            busy={busy === 'others'}
            busyLabel={profilePageTexts.ending}
            onClick={() => void thenFocus(screen.endOthers(), heading)}
          >
            {profilePageTexts.endOthers}
          </Button>
        )}
      </div>
      <ul className="mt-2 divide-y divide-line">
        {sessions.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3.5">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
                {session.device}
                {session.isCurrent && <Tag tone="green">{profilePageTexts.thisDevice}</Tag>}
              </p>
              <p className="text-sm text-muted">
                {profilePageTexts.signedInFrom(signInMethods[session.method], formatMoment(session.createdAt, timeZone))}{' '}
                <span className="figure">{session.address}</span>
              </p>
              <p className="text-sm text-muted">{profilePageTexts.lastActive(formatMoment(session.lastSeenAt, timeZone))}</p>
            </div>
            {!session.isCurrent && (
              <Button
                look="quiet"
                busy={busy === session.id}
                busyLabel={profilePageTexts.ending}
                aria-label={profilePageTexts.endSession(session.device, formatMoment(session.createdAt, timeZone))}
                onClick={() => void thenFocus(screen.endSession(session.id), heading)}
              >
                {profilePageTexts.end}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
