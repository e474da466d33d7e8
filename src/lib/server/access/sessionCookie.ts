/** `__Host-` binds the cookie to this host and to HTTPS; the sandbox has no HTTPS. */
export function sessionCookieName(secure: boolean): string {
  return secure ? '__Host-session' : 'session'
}
