import { expect, it } from 'vitest'
import { cpuSeconds } from '../../../../test/support/cpu-seconds.ts'
import { withoutSecrets } from './secrets.ts'

it.each(['a', '://a', '?token', 'key', 'a:@', '&key'])(
  'hides secrets in a text with many repetitions of %j in linear time',
  async (piece) => {
    const text = piece.repeat(200_000)
    expect(await cpuSeconds(() => withoutSecrets([text, { text }]))).toBeLessThan(2)
  },
)

it.each<[string, unknown]>([
  ['spaces', [' '.repeat(4_000_000)]],
  ['letters', [`${'a'.repeat(4_000_000)}@`]],
  ['parameters', [`${`&${'pwd'.repeat(26)}`.repeat(50_000)}=`]],
  ['URLs with passwords', [`${`x://a:${'b'.repeat(50)} `.repeat(70_000)}@`]],
])('hides secrets in 4 MB of %s, the maximum size of a body, in linear time', async (_, value) => {
  expect(await cpuSeconds(() => withoutSecrets(value))).toBeLessThan(2)
})
