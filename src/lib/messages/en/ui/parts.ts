/** The texts of the plain parts in `islands/ui`, which import no other module of `lib`. */
export const cancelText = 'Cancel'
export const closeText = 'Close'
export const emailExample = 'name@example.com'
export const hidePassword = 'Hide password'
export const showPassword = 'Show password'

/** What a screen reader says for the button that explains `label`. */
export const explains = (label: string) => `What is ${label}?`

/** What a screen reader says for the button that copies `label`. */
export const copies = (label: string) => `Copy ${label}`
export const exactFigure = (figure: string) => `${figure}: show every digit`
