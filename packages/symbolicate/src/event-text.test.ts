import { expect, it } from 'vitest'
import { parseEventText } from './event-text.ts'

const STACK = 'Error: x\n    at f (https://h/a.js:1:2)'

it.each<[string, unknown]>([
  ['fields of its own', { stack: STACK, service: 's', version: '1' }],
  ['a RUM event', { service: 's', version: '1', error: { stack: STACK, message: 'x' } }],
  ['deep in a list', { events: [{ attributes: { error: { stack_trace: STACK } } }], service: 's', version: '1' }],
])('finds the stack in %s', (_, event) => {
  expect(parseEventText(JSON.stringify(event))).toEqual({ stack: STACK, service: 's', version: '1' })
})

it.each([STACK, '{not json', '[1,2]', '{"a":1}', '', `[${'['.repeat(100_000)}`])(
  'takes what is no event as the stack',
  (text) => {
    expect(parseEventText(text).stack).toBe(text)
  },
)

it('takes a stack quoted as JSON', () => expect(parseEventText(JSON.stringify(STACK))).toEqual({ stack: STACK }))
