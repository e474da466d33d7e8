/** `npm run staff`: the first two admins of the operators' desk, and who works there. Everything else is decided at the desk. */
import { INVITATION_SECONDS } from '#lib/domain/staff/sessions.ts'
import { DeskError, inviteFirst, keysForSigner, listStaff } from '../staff/index.ts'
import { runCommand } from './command.ts'
import { processConfig } from './config.ts'

const USAGE = `npm run staff -- invite NAME EMAIL
npm run staff -- list
npm run staff -- keys EMAIL

invite prints the link by which an admin joins the operators' desk, with a passkey: the first two come in this way, and invite everybody else at
the desk. Later it works for the database's owner alone; then it is an error in the log, and the desk shows it in red for 30 days.

keys prints a person's passkeys as STAFF_KEYS_FILE wants them. Ask the person, by a way that is not the desk, whether the key is theirs.`

const isEmail = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)
const isName = (text: string) => text.trim().length >= 2 && text.length <= 80

const { desk } = processConfig()
const origin = desk.url ? new URL(desk.url).origin : `http://desk.localhost:${desk.port}`

await runCommand(USAGE, {
  invite: {
    words: [isName, isEmail],
    run: async (context, { words: [name = '', email = ''] }) => {
      try {
        const invited = await inviteFirst(context, { name: name.trim(), email: email.toLowerCase() })
        if (invited === 'refused') {
          console.error("The desk has its two admins: they invite others there. Only the database's owner may do it here.")
          return 1
        }
        console.log(`${origin}/join#${invited.token}`)
        console.log(`Give the link to ${name} alone. It works once, within ${INVITATION_SECONDS / 3600} hours.`)
        if (invited.isOverride) console.log('The desk had its admins already: this is logged, and red there for 30 days.')
        return 0
      } catch (error) {
        if (!(error instanceof DeskError)) throw error
        console.error('There is a person with this name or e-mail already.')
        return 1
      }
    }
  },
  keys: {
    words: [isEmail],
    run: async ({ db }, { words: [email = ''] }) => {
      const keys = await keysForSigner(db, email.toLowerCase())
      if (keys.length > 0) console.log(JSON.stringify(keys, undefined, 2))
      else console.error('Nobody with this e-mail works at the desk with a passkey.')
      return keys.length > 0 ? 0 : 1
    }
  },
  list: {
    run: async ({ db }) => {
      const people = await listStaff(db)
      if (people.length === 0) console.log('Nobody works at the desk yet: npm run staff -- invite NAME EMAIL')
      for (const { name, email, roles, keys, stoppedAt } of people)
        console.log(
          `${name}  ${email}  ${roles.join(', ')}  ${keys} ${keys === 1 ? 'passkey' : 'passkeys'}${stoppedAt ? '  stopped' : ''}`
        )
      return 0
    }
  }
})
