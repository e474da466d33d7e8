/** The stores of the profile, shared by its cards and its dialogs. */

import { createChangeEmail } from '#lib/client/access/changeEmail.ts'
import { createEditProfile } from '#lib/client/access/editProfile.ts'
import { createReauthentication } from '#lib/client/access/reauthentication.ts'
import { createResetPassword } from '#lib/client/access/resetPassword.ts'
import { createSecurity } from '#lib/client/access/security.ts'
import { afterPasswordChange } from '#lib/client/platform/endedSession.ts'

export type ProfileScreens = ReturnType<typeof createProfileScreens>

export function createProfileScreens() {
  const reauthentication = createReauthentication()
  return {
    reauthentication,
    edit: createEditProfile(),
    email: createChangeEmail(reauthentication),
    password: createResetPassword(afterPasswordChange),
    security: createSecurity(reauthentication)
  }
}
