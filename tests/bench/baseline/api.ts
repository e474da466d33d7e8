/** Reads the session from the product's place in `localStorage`. */
function bearer(): string {
  const stored = JSON.parse(localStorage.getItem('auth-storage') ?? '{}')
  return `Bearer ${stored.token ?? ''}`
}

async function unwrap(response: Response) {
  const body = await response.json()
  if (!response.ok) throw new Error(body.message)
  return body.data
}

export async function get<T>(path: string): Promise<T> {
  return unwrap(await fetch(`/v1${path}`, { headers: { authorization: bearer() } }))
}

export async function post(path: string, body: unknown): Promise<unknown> {
  return unwrap(
    await fetch(`/v1${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  )
}
