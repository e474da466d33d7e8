import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ACCOUNT_TERMS, changedTerms, ORDER_TERMS } from '#lib/domain/legal/terms.ts'
import { legalText, missingFacts } from '#lib/server/legal/index.ts'

const FOLDER = 'src/content/legal'
const texts = globSync(`${FOLDER}/*.md`)
const owner: { name: string; what: string; where: string[] }[] = JSON.parse(readFileSync(`${FOLDER}/owner.json`, 'utf8'))
const OF_SETTINGS = ['COMPANY_NAME', 'COMPANY_ADDRESS']

describe('the legal texts', () => {
  it('are those that customers accept, each with a version, a day and what changed', () => {
    expect(texts.map((file) => basename(file, '.md')).toSorted()).toEqual([...ACCOUNT_TERMS, ...ORDER_TERMS].toSorted())
    for (const name of [...ACCOUNT_TERMS, ...ORDER_TERMS]) {
      const { version, effective, changes } = legalText(name)
      expect(version).toMatch(/^\d+\.\d+$/)
      expect(effective).toMatch(/^\d{4}-\d{2}-\d{2}$/)
      expect(changes).toMatch(/\.$/)
    }
  })

  it('have an earlier text for every version before, under its own number', () => {
    for (const file of globSync(`${FOLDER}/earlier/*.md`)) {
      const [, name = '', version] = /([a-z-]+)-(\d+\.\d+)\.md$/.exec(file) ?? []
      expect(readFileSync(file, 'utf8')).toContain(`version: "${version}"`)
      expect(texts.map((one) => basename(one, '.md'))).toContain(name)
      expect(legalText(name as (typeof ACCOUNT_TERMS)[number]).version).not.toBe(version)
    }
  })

  it('name nothing that the owner must fill in without its place on the list, and the list names no place in vain', () => {
    const used = [...texts, `${FOLDER}/agreement.json`].flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\{\{([A-Z_]+)\}\}/g)].map(
        ([, name = '']) => `${name} ${basename(file).split('.')[0]}`
      )
    )
    const listed = owner.flatMap(({ name, where }) => where.map((place) => `${name} ${place}`))
    expect([...new Set(used)].filter((one) => !OF_SETTINGS.some((name) => one.startsWith(name))).toSorted()).toEqual(
      listed.toSorted()
    )
    for (const name of missingFacts()) expect(owner.map((one) => one.name)).toContain(name)
  })
})

describe('what a customer has to accept', () => {
  const current = { 'terms-of-service': '1.1', 'custody-policy': '1.0', 'privacy-policy': '1.0' }
  it('is every text in a version that they have not accepted', () => {
    expect(changedTerms(current, new Set())).toEqual([...ACCOUNT_TERMS])
    expect(changedTerms(current, new Set(['terms-of-service 1.0', 'custody-policy 1.0', 'privacy-policy 1.0']))).toEqual([
      'terms-of-service'
    ])
    expect(changedTerms(current, new Set(['terms-of-service 1.1', 'custody-policy 1.0', 'privacy-policy 1.0']))).toEqual([])
  })
})
