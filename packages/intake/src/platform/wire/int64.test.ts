import { describe, expect, it } from 'vitest'
import { cpuSeconds } from '../../../../../test/support/cpu-seconds.ts'
import { parseJson, stringifyJson } from './int64.ts'

describe('parseJson', () => {
  it.each<[string, unknown]>([
    ['9007199254740993', 9007199254740993n],
    ['-9223372036854775808', -9223372036854775808n],
    ['[18446744073709551615, 1]', [18446744073709551615n, 1]],
    ['1000000000000000', 1000000000000000],
    [
      '{"a":{"b":[12345678901234567]},"c":"12345678901234567"}',
      { a: { b: [12345678901234567n] }, c: '12345678901234567' },
    ],
    ['["\\"12345678901234567","\\\\",12345678901234567]', ['"12345678901234567', '\\', 12345678901234567n]],
    ['1234567890123456.5', 1234567890123456.5],
    ['0.12345678901234567', Number('0.12345678901234567')],
    ['1e-1234567890123456', 0],
    ['123456789012345678901234', Number('123456789012345678901234')],
    ['12345678901234567e3', Number('12345678901234567e3')],
    ['[1e1234567890123456,12345678901234567.0,12345678901234567]', [Infinity, 12345678901234568, 12345678901234567n]],
    ['[123456789012345678901,12345678901234567890]', [123456789012345680000, 12345678901234567890n]],
  ])('%s', (text, value) => {
    expect(parseJson(text)).toEqual(value)
    if (typeof value === 'bigint') expect(stringifyJson(parseJson(text))).toBe(text)
  })

  it.each([
    '012345678901234567',
    '-012345678901234567',
    '"12345678901234567',
    '5-12345678901234567',
    '[12345678901234567',
    '{12345678901234567:1}',
    '{"a":{12345678901234567 :1}}',
  ])('%s is not JSON', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError)
  })

  it.each([
    ['numbers', `[${'1,'.repeat(2_000_000)}12345678901234567]`],
    ['texts', `[${'"a",'.repeat(1_000_000)}12345678901234567]`],
    ['quotes in a text that does not end', `[12345678901234567,"${'\\"'.repeat(2_000_000)}`],
    ['digits', '9'.repeat(4_000_000)],
    ['line ends in a text', `["${'x\\n'.repeat(1_300_000)}",12345678901234567]`],
    ['backslashes in a text', `["${'\\\\'.repeat(2_000_000)}",12345678901234567]`],
    ['long numbers', `[${'12345678901234567,'.repeat(230_000)}1]`],
  ])('4 MB of %s in linear time', async (_, text) => {
    const seconds = await cpuSeconds(() => {
      try {
        parseJson(text)
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError)
      }
    })
    expect(seconds).toBeLessThan(10)
  })
})
