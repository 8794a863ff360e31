import { expect, it } from 'vitest'
import { readEnrichedAnswer } from './enriched-answer.ts'

it('reads candidates that are nested more deeply than a stack can be', () => {
  const depth = 100_000
  const nested = `${'{"file":"a.ts","inlined":['.repeat(depth)}${']}'.repeat(depth)}`
  const answer = JSON.parse(`{"frames":[{"converted":true,"file":"a.ts","candidates":[[${nested}]]}]}`)
  expect(readEnrichedAnswer(answer)?.frames).toMatchObject([{ resolved: { candidates: [{ file: 'a.ts' }] } }])
})
