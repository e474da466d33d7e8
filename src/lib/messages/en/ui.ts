/** The texts of the plain parts in `islands/ui`, which import no other module of `lib`. */
export const uiTexts = {
  cancel: 'Cancel',
  close: 'Close',
  emailExample: 'name@example.com',
  hidePassword: 'Hide password',
  showPassword: 'Show password'
} as const

/** What a screen reader says for the button that explains `label`. */
export function explains(label: string): string {
  return `What is ${label}?`
}

/** What a screen reader says for the button that copies `label`. */
export function copies(label: string): string {
  return `Copy ${label}`
}
