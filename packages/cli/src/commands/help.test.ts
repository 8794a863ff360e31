import { PROBLEMS } from '@symup/core'
import { expect, it } from 'vitest'
import { programOf } from '../program.ts'
import { noHelp, topicOf } from './help.ts'

it('explains an old problem code under its current name', () => {
  const renamed = Object.entries<{ formerly?: readonly string[] }>(PROBLEMS).flatMap(([now, { formerly = [] }]) =>
    formerly.map((before) => [before, now] as const),
  )
  expect(renamed.length).toBeGreaterThan(0)
  for (const [before, now] of renamed) {
    expect(topicOf(before)?.[0]).toContain(now)
    expect(topicOf(before)).toEqual(topicOf(now))
  }
})

it('reports that an unknown word has no help topic', () => {
  for (const topic of ['nosuch', 'constructor', '__proto__']) expect(topicOf(topic)).toBeUndefined()
  expect(
    noHelp(
      ['leak-mpa'],
      programOf('1.0.0', () => undefined),
    ).message,
  ).toContain('Did you mean "leak-map"?')
})
