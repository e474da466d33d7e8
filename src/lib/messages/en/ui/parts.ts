/** The texts of the basic components in `islands/ui`, which import no other module of `lib`. */
export const cancelText = 'Cancel'
export const closeText = 'Close'
export const emailExample = 'name@example.com'
export const hidePassword = 'Hide password'
export const showPassword = 'Show password'

/** The screen-reader name of the button that explains `label`. */
export const explains = (label: string) => `What is ${label}?`

/** The screen-reader name of the button that copies `label`. */
export const copies = (label: string) => `Copy ${label}`
export const exactFigure = ': show every digit'
