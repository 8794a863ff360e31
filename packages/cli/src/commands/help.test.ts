import { PROBLEMS } from '@symup/core/internal'
import { expect, it } from 'vitest'
import { programOf } from '../program.ts'
import { noHelp, topicOf } from './help.ts'

it('a code that was renamed, and that an old log has, is explained under its name of now', () => {
  expect(topicOf('road-unusable')).toEqual(topicOf('proxy-or-ca-unusable'))
  const former = Object.values<{ formerly?: readonly string[] }>(PROBLEMS).flatMap(({ formerly = [] }) => formerly)
  expect(former).toContain('road-unusable')
  expect(former.filter((code) => topicOf(code) === undefined)).toEqual([])
})

it('what nothing is known of has no topic', () => {
  for (const topic of ['nosuch', 'constructor', '__proto__']) expect(topicOf(topic)).toBeUndefined()
  expect(
    noHelp(
      ['leak-mpa'],
      programOf('1.0.0', () => undefined),
    ).message,
  ).toContain('Did you mean "leak-map"?')
})
