import { afterEach, expect, it, vi } from 'vitest'
import { printExplanation } from './explanation-text.ts'

afterEach(() => vi.restoreAllMocks())

it('says no name where none is known, and does not call the function anonymous', () => {
  const printed: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
  const place = { file: 'src/lib/pay.ts', line: 6, column: 22 }
  // A map without the sources' text, as tsc makes it without `inlineSources`.
  printExplanation({ frames: [{ raw: 'at total (file:///app/dist/pay.js:3:9)', resolved: place }] })
  printExplanation({
    frames: [{ raw: 'at n (file:///app/dist/pay.js:1:9)', resolved: { ...place, function: 'total' } }],
  })
  expect(printed.join('')).toBe(
    'at total (file:///app/dist/pay.js:3:9)\n  → src/lib/pay.ts:6:22\n' +
      'at n (file:///app/dist/pay.js:1:9)\n  → total  src/lib/pay.ts:6:22\n',
  )
})
