import { useState } from 'react'
import { seedQuery } from '#lib/client/platform/queries.ts'
import { balances } from '#lib/client/wallet/queries.ts'
import type { Balances } from '#lib/contract/types.ts'
import { useQuery } from '../platform/useQuery.ts'

/** The customer's balances: first the page's, then newer ones. The first island seeds the store, so that no island fetches them again. */
export function useBalances(first: Balances): Balances {
  useState(() => seedQuery('getBalance', first))
  return useQuery(balances, first)
}
