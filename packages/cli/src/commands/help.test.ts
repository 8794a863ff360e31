import { expect, it } from 'vitest'
import { programOf } from '../program.ts'
import { noHelp, topicOf } from './help.ts'

it('reports that an unknown word has no help topic', () => {
  for (const topic of ['nosuch', 'constructor', '__proto__']) expect(topicOf(topic)).toBeUndefined()
  expect(
    noHelp(
      ['leak-mpa'],
      programOf('1.0.0', () => undefined),
    ).message,
  ).toContain('Did you mean "leak-map"?')
})
