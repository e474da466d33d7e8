import { type ApiDependencies, route } from '../platform/api/route.ts'
import type { Api } from '../platform/api/types.ts'
import { listSupportedTokens } from './tokens.ts'

export function registerToken(api: Api, dependencies: ApiDependencies): void {
  route(api, dependencies, 'getSupportedTokens', 'Digits and prices of every token', () =>
    listSupportedTokens(dependencies.context)
  )
}
