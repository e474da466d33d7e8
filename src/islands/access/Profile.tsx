import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { showInMenu } from '#lib/client/platform/customerInMenu.ts'
import { seedQuery } from '#lib/client/platform/queries.ts'
import { profile as profileStore, security as securityStore } from '#lib/client/wallet/queries.ts'
import type { KycData, Profile as ProfileData, Security as SecurityData } from '#lib/contract/types.ts'
import { formatDay } from '#lib/format/dates.ts'
import { displayName, initials, titleCase } from '#lib/format/names.ts'
import { profilePageTexts } from '#messages/access/profilePage.ts'
import { KycPrompt } from '../identity/IdentityPrompt.tsx'
import { CopyText } from '../platform/CopyText.tsx'
import { lazyPart } from '../platform/lazyPart.tsx'
import { ToastRegion } from '../platform/ToastRegion.tsx'
import { useQuery } from '../platform/useQuery.ts'
import { Card } from '../ui/Card.tsx'
import { type Fact, Facts } from '../ui/Facts.tsx'
import { useHydrated } from '../ui/useHydrated.ts'
import { Checklist } from './Checklist.tsx'
import { createProfileScreens } from './profileScreens.ts'
import { Security } from './Security.tsx'

/** Loaded on the first press, because any control of this page may need a dialog. */
const Dialogs = lazyPart(() => import('./ProfileDialogSet.tsx'))

type Props = {
  profile: ProfileData
  security: SecurityData
  inviteLink: string
  timeZone: string
  /** The end of the part Account; the help beside Security and Identity. */
  children?: ReactNode
  securityHelp?: ReactNode
  identityHelp?: ReactNode
}

/** Three of the five parts of the profile. */
export function Profile({ children, securityHelp, identityHelp, ...first }: Props) {
  useState(() => {
    seedQuery('getProfile', first.profile)
    seedQuery('getSecurity', first.security)
  })
  const profile = useQuery(profileStore, first.profile)
  const security = useQuery(securityStore, first.security)
  const [screens] = useState(createProfileScreens)
  const [hasPressed, setHasPressed] = useState(false)
  const name = displayName(profile)

  useEffect(() => showInMenu({ initials: initials(name), email: profile.email }), [name, profile.email])
  // The first press loads all dialogs.
  useEffect(() => {
    const press = () => setHasPressed(true)
    window.addEventListener('pointerdown', press, { once: true })
    window.addEventListener('keydown', press, { once: true })
    // Assistive technology may send only a click.
    window.addEventListener('click', press, { once: true })
    return () => {
      window.removeEventListener('pointerdown', press)
      window.removeEventListener('keydown', press)
      window.removeEventListener('click', press)
    }
  }, [])

  return (
    <>
      <div className="part" id="account">
        <Card id="account-title" title={profilePageTexts.accountInfo}>
          <Row
            about={profilePageTexts.name}
            act={profilePageTexts.edit}
            onAct={() => screens.edit.open({ name: profile.name ?? '', phone: profile.phone })}
          >
            {name ? titleCase(name) : profilePageTexts.noName}
          </Row>
          <Row about={profilePageTexts.phone}>{profile.phone || '–'}</Row>
          <Row about={profilePageTexts.email} act={profilePageTexts.change} onAct={screens.email.open}>
            {profile.email}
          </Row>
          <Row about={profilePageTexts.since}>{formatDay(profile.createdAt, first.timeZone)}</Row>
          <Row about={profilePageTexts.userId} end={<CopyText text={profile.userId} label={profilePageTexts.userId} />}>
            {profile.userId}
          </Row>
        </Card>
        <Card id="referral-info" title={profilePageTexts.referralInfo}>
          <Row about={profilePageTexts.code} end={<CopyText text={profile.referralCode} label={profilePageTexts.code} />}>
            {profile.referralCode}
          </Row>
          <Row about={profilePageTexts.invite} end={<CopyText text={first.inviteLink} label={profilePageTexts.invite} />}>
            <span className="block truncate font-normal">{first.inviteLink}</span>
          </Row>
          <Row about={profilePageTexts.invitedBy}>{profile.targetReferralCode ?? profilePageTexts.nobody}</Row>
          <p className="set-row">
            <span className="text-sm text-muted">{profilePageTexts.referralAbout}</span>
            <a className="link" href="/referral">
              {profilePageTexts.toReferral}
            </a>
          </p>
        </Card>
        {children}
      </div>
      <div className="part" id="security">
        <Checklist security={security} />
        <Security
          security={security}
          screen={screens.security}
          timeZone={first.timeZone}
          onPassword={() => screens.password.open(profile.email)}
        />
        {securityHelp}
      </div>
      <div className="part" id="identity">
        <Card id="identity-title" title={profilePageTexts.kycInfo}>
          <KycPrompt kycData={profile.kycData} />
          <KycFacts kycData={profile.kycData} />
        </Card>
        {identityHelp}
      </div>
      {hasPressed && (
        <Suspense>
          <Dialogs screens={screens} email={profile.email} />
        </Suspense>
      )}
      <ToastRegion />
    </>
  )
}

type RowProps = { children: ReactNode; about: string; act?: string; onAct?: () => void; end?: ReactNode }

/** A fact, what it is, and at its end what can be done about it. */
function Row({ children, about, act, onAct, end }: RowProps) {
  const isHydrated = useHydrated()
  return (
    <div className="set-row">
      <span>
        <b>{children}</b>
        <small>{about}</small>
      </span>
      {act && (
        <button type="button" className="link" aria-label={`${act} ${about}`} disabled={!isHydrated} onClick={onAct}>
          {act}
        </button>
      )}
      {end}
    </div>
  )
}

function KycFacts({ kycData }: { kycData: KycData }) {
  const { firstName, lastName, dob, country, countryName = country, idDocs = [] } = kycData?.info ?? {}
  const facts: Fact[] = [
    ...(firstName || lastName ? [{ label: profilePageTexts.name, value: [firstName, lastName].filter(Boolean).join(' ') }] : []),
    ...(dob ? [{ label: profilePageTexts.birth, value: formatDay(dob) }] : []),
    ...(country ? [{ label: profilePageTexts.country, value: countryName }] : []),
    ...idDocs.map(({ idDocType, number, validUntil }) => ({
      label: titleCase(idDocType.replaceAll('_', ' ')),
      value: <span className="figure">{number ?? '–'}</span>,
      ...(validUntil && { hint: profilePageTexts.validUntil(formatDay(validUntil)) })
    }))
  ]
  if (facts.length === 0) return null
  return (
    <div className="mt-3">
      <Facts facts={facts} />
      <p className="mt-2 text-sm text-muted">{profilePageTexts.documentsAbout}</p>
    </div>
  )
}
