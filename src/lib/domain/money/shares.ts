export type Share<Id> = { id: Id; amount: bigint }

/**
 * Takes an amount out of several holdings, in their order, each as far as it goes. `taken`: what each of them gives; those that give nothing
 * are left out. `rest`: what all of them together do not cover.
 */
export function takeInOrder<Id>(amount: bigint, holdings: Share<Id>[]): { taken: Share<Id>[]; rest: bigint } {
  let rest = amount
  const taken: Share<Id>[] = []
  for (const holding of holdings) {
    const part = rest < holding.amount ? rest : holding.amount
    if (part > 0n) taken.push({ id: holding.id, amount: part })
    rest -= part
  }
  return { taken, rest }
}
