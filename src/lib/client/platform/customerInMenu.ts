/** Updates the menu, which came with the page, when the customer changes their data. */
export function showInMenu(customer: { initials: string; email: string }): void {
  for (const [name, text] of Object.entries(customer)) {
    const shown = document.querySelector(`[data-customer=${name}]`)
    if (shown) shown.textContent = text
  }
}
