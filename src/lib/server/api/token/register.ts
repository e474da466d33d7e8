import { listSupportedTokens } from '../../services/tokens/list.ts'
import { type ApiDependencies, route } from '../route.ts'
import type { Api } from '../types.ts'

export function registerToken(api: Api, dependencies: ApiDependencies): void {
  route(api, dependencies, 'getSupportedTokens', 'Digits and prices of every token', () =>
    listSupportedTokens(dependencies.context)
  )
}
