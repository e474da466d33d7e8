/** Reopens the details of a stake, already open in the HTML, as a modal with backdrop, focus and Escape. */
const dialog = document.querySelector<HTMLDialogElement>('dialog#stake')
if (dialog) {
  const url = new URL(window.location.href)
  url.searchParams.delete('order')
  // A reload shows the list, not the details again.
  window.history.replaceState(window.history.state, '', url)
  dialog.removeAttribute('open')
  dialog.showModal()
}
