/** Updates the customer's data in the server-rendered menu after they change it. */
export function showInMenu(customer: { initials: string; email: string }): void {
  for (const [name, text] of Object.entries(customer)) {
    const shown = document.querySelector(`[data-customer=${name}]`)
    if (shown) shown.textContent = text
  }
}
