/** Leaves the page through one variable, so that tests can replace it. */
let leave = (url: string) => window.location.assign(url)

export function goTo(url: string): void {
  leave(url)
}

export function replaceNavigation(other: (url: string) => void): void {
  leave = other
}
