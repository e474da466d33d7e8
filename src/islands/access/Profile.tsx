import { Suspense, useEffect, useState } from 'react'
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
import { ShareCode } from '../referral/ShareCode.tsx'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { type Fact, Facts } from '../ui/Facts.tsx'
import { Checklist } from './Checklist.tsx'
import { createProfileScreens } from './profileScreens.ts'
import { Security } from './Security.tsx'

/** Loaded on the first press, because any control of this page may need a dialog. */
const Dialogs = lazyPart(() => import('./ProfileDialogSet.tsx'))

type Props = { profile: ProfileData; security: SecurityData; inviteLink: string; timeZone: string }

export function Profile(first: Props) {
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
      <Checklist security={security} />
      <div className="grid gap-5 *:min-w-0 lg:grid-cols-2">
        <Card className="min-w-0" title={profilePageTexts.accountInfo}>
          <div className="mb-3 flex items-center gap-4">
            <span
              className="inline-flex size-14 shrink-0 items-center justify-center rounded-full bg-hero text-lg font-semibold text-on-hero"
              aria-hidden="true"
            >
              {initials(name)}
            </span>
            <div className="min-w-0">
              <p className="text-lg font-semibold">{name ? titleCase(name) : profilePageTexts.noName}</p>
              <p className="truncate text-sm text-muted">{profile.email}</p>
            </div>
          </div>
          <Facts
            facts={[
              { label: profilePageTexts.name, value: name ?? '–' },
              { label: profilePageTexts.phone, value: <span className="figure">{profile.phone || '–'}</span> },
              { label: profilePageTexts.email, value: <span className="break-all">{profile.email}</span> },
              { label: profilePageTexts.since, value: formatDay(profile.createdAt, first.timeZone) },
              { label: profilePageTexts.userId, value: <Copyable text={profile.userId} label={profilePageTexts.userId} /> }
            ]}
          />
          <div className="mt-4 grid gap-3 sm:flex sm:flex-wrap">
            <Button look="quiet" onClick={() => screens.edit.open({ name: profile.name ?? '', phone: profile.phone })}>
              {profilePageTexts.edit}
            </Button>
            <Button look="quiet" onClick={screens.email.open}>
              {profilePageTexts.changeEmail}
            </Button>
            <Button look="quiet" onClick={() => screens.password.open(profile.email)}>
              {profilePageTexts.changePassword}
            </Button>
          </div>
        </Card>
        <Card id="identity" className="min-w-0" title={profilePageTexts.kycInfo}>
          <KycPrompt kycData={profile.kycData} />
          <KycFacts kycData={profile.kycData} />
        </Card>
        <Card id="referral-info" title={profilePageTexts.referralInfo} className="lg:col-span-2">
          <div className="grid gap-x-10 *:min-w-0 lg:grid-cols-2">
            <div>
              <ShareCode code={profile.referralCode} link={first.inviteLink} />
            </div>
            <div>
              <Facts
                facts={[{ label: profilePageTexts.invitedBy, value: profile.targetReferralCode ?? profilePageTexts.nobody }]}
              />
              <p className="mt-2 text-sm text-muted">{profilePageTexts.referralAbout}</p>
              <a className="link mt-2 inline-flex min-h-11 items-center" href="/referral">
                {profilePageTexts.toReferral}
              </a>
            </div>
          </div>
        </Card>
      </div>
      <Security security={security} screen={screens.security} timeZone={first.timeZone} />
      {hasPressed && (
        <Suspense>
          <Dialogs screens={screens} email={profile.email} />
        </Suspense>
      )}
      <ToastRegion />
    </>
  )
}

function Copyable({ text, label }: { text: string; label: string }) {
  return (
    <span className="flex items-center justify-end gap-1">
      <span className="min-w-0 truncate" title={text}>
        {text}
      </span>
      <CopyText text={text} label={label} />
    </span>
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
