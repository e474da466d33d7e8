/** Which module goes into which script of the browser. */
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Page scripts are never grouped: each must run on its own page only. */
const OWN_PAGE = /\.page\.ts$/
/** Libraries that several pages share. Every other library is bundled with the code that needs it. */
const LIBRARIES = {
  react: 'react',
  'react-dom': 'react',
  scheduler: 'react',
  '@astrojs/react': 'react',
  '@nanostores/react': 'react',
  '@nanostores/query': 'live',
  'nanostores/computed': 'live',
  nanostores: 'core',
  nanoevents: 'live',
  '@nanostores/persistent': 'core'
}
/**
 * Parts of `platform`, `ui` and `format`, which serve every feature, grouped by the pages that need them. Paths are files or
 * folders below `src`; the build refuses one that does not exist, so that a rename can't break a group silently. `alone`: in no
 * group, because few pages need it, or only after a tap or a call.
 */
const PARTS = {
  alone: [
    'lib/client/platform/askAgain.ts',
    'lib/client/platform/keyedRequests.ts',
    'lib/client/platform/requestKey.ts',
    'lib/messages/en/platform/unknown.ts',
    'lib/domain/money/amount.ts',
    'lib/domain/withdrawals',
    'islands/ui/Actions.tsx',
    'islands/ui/PasswordField.tsx',
    'lib/client/access/signInCode.ts',
    'lib/client/access/verification.ts',
    'islands/ui/Split.tsx',
    'islands/orders/Pay.tsx',
    'islands/orders/TransferDetails.tsx',
    'lib/client/orders/terms.ts',
    'lib/client/platform/palette.ts',
    'lib/client/platform/qr.ts',
    'lib/client/platform/retried.ts',
    'lib/domain/orders/epc.ts',
    'lib/format/orders/timeLeft.ts',
    'lib/messages/en/access/signIn.ts',
    'lib/messages/en/orders/pay.ts',
    'lib/messages/en/orders/timeLeft.ts',
    'lib/messages/en/platform/palette.ts'
  ],
  identity: ['islands/identity/useIdentityLink.ts', 'islands/identity/VerifyButton.tsx', 'lib/client/identity'],
  person: ['lib/client/access/explain.ts', 'lib/domain/access/person.ts'],
  code: ['islands/ui/CodeField.tsx', 'islands/ui/useNow.ts', 'lib/format/duration.ts', 'lib/messages/en/platform/duration.ts'],
  call: ['lib/client/platform/call.ts', 'lib/client/platform/endedSession.ts', 'lib/client/platform/failure.ts'],
  http: ['lib/client/platform/http.ts', 'lib/client/platform/refresh.ts', 'lib/client/platform/sendJson.ts', 'lib/contract'],
  list: ['islands/ui/Explain.tsx', 'islands/ui/List.tsx'],
  fields: ['islands/platform/useForm.ts', 'islands/ui/Field.tsx', 'islands/ui/Form.tsx', 'lib/client/platform/form.ts'],
  access: ['islands/ui/BackArrow.tsx', 'islands/ui/EmailField.tsx', 'lib/messages/en/platform/fields.ts'],
  steps: [
    'islands/access/PasswordStep.tsx',
    'islands/access/SecondFactor.tsx',
    'lib/client/access/secondFactor.ts',
    'lib/messages/en/access/passwordStep.ts',
    'lib/messages/en/access/secondFactor.ts'
  ],
  proof: [
    'islands/access/Reauthenticate.tsx',
    'lib/client/access/reauthentication.ts',
    'lib/messages/en/access/profileDialogs.ts'
  ],
  signing: [
    'islands/access/ResetPassword.tsx',
    'lib/client/access/passkey.ts',
    'lib/client/access/passwordSignIn.ts',
    'lib/client/access/resetPassword.ts',
    'lib/messages/en/access/password.ts',
    'lib/messages/en/access/resetPassword.ts'
  ],
  react: [
    'islands/ui/Button.tsx',
    'islands/ui/Icon.tsx',
    'islands/ui/useHydrated.ts',
    'islands/platform/ToastRegion.tsx',
    'islands/platform/toasts.css',
    'islands/platform/lazyPart.tsx',
    'lib/messages/en/platform/part.ts',
    'lib/messages/en/ui'
  ],
  referral: ['lib/client/platform/share.ts', 'lib/domain/brand.ts'],
  live: ['lib/client/platform/onReturn.ts', 'lib/client/platform/queries.ts', 'lib/client/wallet/queries.ts'],
  orders: [
    'islands/ui/Facts.tsx',
    'islands/ui/Moment.tsx',
    'lib/format/orders',
    'lib/format/payments',
    'lib/messages/en/payments',
    'lib/domain/orders'
  ],
  p2p: ['islands/ui/lineChart.ts', 'lib/format/p2p'],
  figures: [
    'islands/platform/useQuery.ts',
    'islands/platform/useReturn.ts',
    'islands/ui/Amount.tsx',
    'islands/ui/Card.tsx',
    'islands/ui/Exact.tsx',
    'islands/ui/Tag.tsx',
    'islands/ui/TokenMark.tsx',
    'lib/format',
    'lib/domain/money',
    'lib/domain/rates',
    'lib/domain/wallet',
    'lib/messages/en/rates'
  ],
  parts: ['islands/ui', 'islands/platform', 'lib/messages/en/platform/copying.ts']
}
/** The folder that names the feature, in every layer that reaches the browser. */
const FEATURE = /^(?:islands|lib\/(?:client|domain|messages\/\w+))\/(?!platform\/|ui\/)(\w+)\//

const SOURCE = fileURLToPath(new URL('../', import.meta.url))

function fileOf(id) {
  const file = relative(SOURCE, id.split('?', 1)[0]).replaceAll('\\', '/')
  // Files of every language are grouped like the English ones.
  return file.replace(/^lib\/messages\/\w+\//, 'lib/messages/en/')
}

function partOf(file) {
  return Object.keys(PARTS).find((part) => PARTS[part].some((path) => file === path || file.startsWith(`${path}/`)))
}

/** The group of a module: by its library, by the table above, or by its feature. `core` is on every page. */
export function groupOf(id) {
  if (OWN_PAGE.test(id)) return null
  const library = /.*[\\/]node_modules[\\/](.*)/.exec(id)?.[1]?.replaceAll('\\', '/')
  if (library) return Object.entries(LIBRARIES).find(([name]) => library.startsWith(`${name}/`))?.[1] ?? null
  const file = fileOf(id)
  const group = partOf(file) ?? FEATURE.exec(file)?.[1] ?? 'core'
  return group === 'alone' ? null : group
}

/** The paths of the table that do not exist, e.g. after a rename. */
export function missingParts() {
  return Object.values(PARTS)
    .flat()
    .filter((path) => !existsSync(join(SOURCE, path)))
}
