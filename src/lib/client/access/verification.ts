/** Passes the email address from sign-up to the page that asks for its code: in session storage, never in a URL. */

export type Verification = { email: string; sentAtMs: number }

const KEY = 'verification'

export function rememberVerification(verification: Verification): void {
  sessionStorage.setItem(KEY, JSON.stringify(verification))
}

export function recallVerification(): Verification | undefined {
  const text = sessionStorage.getItem(KEY)
  return text ? JSON.parse(text) : undefined
}

export function forgetVerification(): void {
  sessionStorage.removeItem(KEY)
}
