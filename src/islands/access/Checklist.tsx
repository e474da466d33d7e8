import type { Security as SecurityData } from '#lib/contract/types.ts'
import { profilePageTexts as texts } from '#messages/access/profilePage.ts'

/** How well the account is protected: the done steps, and the missing ones with links to them. */
export function Checklist({ security: { totp, passkeys } }: { security: SecurityData }) {
  const checks = [
    { name: 'email', isDone: true },
    { name: 'totp', isDone: totp.isEnabled },
    { name: 'passkey', isDone: passkeys.length > 0 }
  ] as const
  const done = checks.filter(({ isDone }) => isDone).length
  return (
    <section className="card roomy" aria-labelledby="checklist">
      <h2 id="checklist" className="section-title flex justify-between gap-4">
        {texts.checklist} <span className="figure font-normal text-muted">{texts.checklistDone(done, checks.length)}</span>
      </h2>
      <ul className="checklist">
        {checks.map(({ name, isDone }) => (
          <li key={name} data-done={isDone ? '' : undefined}>
            <span aria-hidden="true">{isDone ? '✓' : ''}</span>
            <div>
              <b>{texts.checks[name].title}</b>
              <small>{texts.checks[name].about}</small>
            </div>
            {isDone ? (
              <span className="sr-only">{texts.checkDone}</span>
            ) : (
              <a className="link inline-flex min-h-11 items-center" href={name === 'passkey' ? '#passkeys' : '#totp'}>
                {texts.checkOpen}
                <span className="sr-only"> {texts.checks[name].title}</span>
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
