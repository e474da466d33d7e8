/** The store modules of the profile, which its cards and its dialogs share. */
import { afterPasswordChange } from '#lib/client/platform/endedSession.ts'
import { createChangeEmail } from '#lib/client/screens/changeEmail.ts'
import { createConfirmation } from '#lib/client/screens/confirmation.ts'
import { createEditProfile } from '#lib/client/screens/editProfile.ts'
import { createResetPassword } from '#lib/client/screens/resetPassword.ts'
import { createSecurity } from '#lib/client/screens/security.ts'

export type ProfileScreens = ReturnType<typeof createProfileScreens>

export function createProfileScreens() {
  const confirmation = createConfirmation()
  return {
    confirmation,
    edit: createEditProfile(),
    email: createChangeEmail(confirmation),
    password: createResetPassword(afterPasswordChange),
    security: createSecurity(confirmation)
  }
}
