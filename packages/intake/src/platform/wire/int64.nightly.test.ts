import { expect, it } from 'vitest'
import { cpuSeconds } from '../../../../../test/support/cpu-seconds.ts'
import { parseJson } from './int64.ts'

it.each([
  ['numbers', `[${'1,'.repeat(2_000_000)}12345678901234567]`],
  ['texts', `[${'"a",'.repeat(1_000_000)}12345678901234567]`],
  ['quotes in an unterminated string', `[12345678901234567,"${'\\"'.repeat(2_000_000)}`],
  ['digits', '9'.repeat(4_000_000)],
  ['line endings in a string', `["${'x\\n'.repeat(1_300_000)}",12345678901234567]`],
  ['backslashes in a string', `["${'\\\\'.repeat(2_000_000)}",12345678901234567]`],
  ['long numbers', `[${'12345678901234567,'.repeat(230_000)}1]`],
])('reads 4 MB of %s in linear time with parseJson', async (_, text) => {
  const seconds = await cpuSeconds(() => {
    try {
      parseJson(text)
    } catch (error) {
      expect(error).toBeInstanceOf(SyntaxError)
    }
  })
  expect(seconds).toBeLessThan(10)
})
