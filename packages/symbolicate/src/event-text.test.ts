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

it.each<[string, unknown]>([
  ['seconds', { timestamp: 1770000000.5 }],
  ['milliseconds', { date: 1770000000500 }],
  ['nanoseconds', { time: 1770000000500000000 }],
  ['ISO 8601', { error: { occurred_at: '2026-02-02T02:40:00.500Z' } }],
])('takes the time of the event in %s', (_, event) => {
  expect(parseEventText(JSON.stringify({ stack: STACK, ...(event as object) })).time).toBe(1770000000500)
})

it("takes debug ids as a table, and as Sentry's list of images", () => {
  const debugIds = { 'https://h/a.js': '6f5c' }
  expect(parseEventText(JSON.stringify({ stack: STACK, debug_ids: debugIds })).debugIds).toEqual(debugIds)
  const images = [{ type: 'sourcemap', code_file: 'https://h/a.js', debug_id: '6f5c' }, null]
  expect(parseEventText(JSON.stringify({ stack: STACK, debug_meta: { images } })).debugIds).toEqual(debugIds)
})

it.each([0, -1, 5, 1e30, 'soon', {}])('takes no nonsense for a time: %j', (timestamp) => {
  expect(parseEventText(JSON.stringify({ stack: STACK, timestamp })).time).toBeUndefined()
})
