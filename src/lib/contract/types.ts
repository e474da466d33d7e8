/** The types of the calls, for the server and the client. */
import type { z } from '@hono/zod-openapi'
import type { CallName } from './calls.ts'
import type { Shapes } from './shapes/index.ts'

type Part<K extends CallName, P extends string> = Shapes[K] extends { [key in P]: infer S extends z.ZodType } ? S : never

export type Answer<K extends CallName> = z.output<Shapes[K]['answer']>
/** The answer of a call without data: a sentence from the API. */
export type Done = { message: string }
/** The input types of a call: before defaults and normalization. */
export type Body<K extends CallName> = Part<K, 'body'> extends never ? undefined : z.input<Part<K, 'body'>>
export type Query<K extends CallName> = Part<K, 'query'> extends never ? undefined : z.input<Part<K, 'query'>>

export type Order = Answer<'getOrder'>
export type Balance = Answer<'getBalance'>[string]
export type Balances = Answer<'getBalance'>
export type ComboConfig = Answer<'listComboConfigs'>[number]
export type ComboPreview = Answer<'previewCombo'>
export type Profile = Answer<'getProfile'>
export type SupportedTokens = Answer<'getSupportedTokens'>
export type TokenPair = Answer<'signIn'>
export type Statement = Answer<'getStatement'>
export type Security = Answer<'getSecurity'>
export type KycData = Answer<'getKycData'>
export type ReferralReward = Answer<'listReferralRewards'>[number]
