/** The menu came with the page; what the customer changes since is written there too. */
export function showInMenu(customer: { initials: string; email: string }): void {
  for (const [name, text] of Object.entries(customer)) {
    const shown = document.querySelector(`[data-customer=${name}]`)
    if (shown) shown.textContent = text
  }
}
