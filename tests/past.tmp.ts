import { writeFileSync } from 'node:fs'
import { livePastYear } from './tools/pastYear.ts'

const past = await livePastYear('/tmp/past', 'grace.hopper@example.com')
writeFileSync('/tmp/past.json', JSON.stringify(past))
console.log(past.email, past.cookie.slice(0, 20))
