/** The dialogs of the profile, loaded on the first press. */
import { ChangeEmail, EditProfile } from './ProfileDialogs.tsx'
import type { ProfileScreens } from './profileScreens.ts'
import Reauthenticate from './Reauthenticate.tsx'
import { ResetPassword } from './ResetPassword.tsx'
import { AddPasskey, AddTotp, RecoveryCodes } from './SecurityDialogs.tsx'

type Props = { screens: ProfileScreens; email: string }

export default function Dialogs({ screens, email }: Props) {
  return (
    <>
      <EditProfile screen={screens.edit} />
      <ChangeEmail screen={screens.email} email={email} />
      <ResetPassword screen={screens.password} />
      <AddPasskey screen={screens.security} />
      <AddTotp screen={screens.security} />
      <RecoveryCodes screen={screens.security} />
      {/* Last: it opens on top of the others. */}
      <Reauthenticate screen={screens.reauthentication} email={email} />
    </>
  )
}
