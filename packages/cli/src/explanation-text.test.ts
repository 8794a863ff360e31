import { afterEach, expect, it, vi } from 'vitest'
import { printExplanation } from './explanation-text.ts'

afterEach(() => vi.restoreAllMocks())

it('shows no name if none is known, and does not call the function anonymous', () => {
  const printed: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
  const place = { file: 'src/lib/pay.ts', line: 6, column: 22 }
  // This map does not contain source texts. tsc writes such maps without `inlineSources`.
  printExplanation({ frames: [{ raw: 'at total (file:///app/dist/pay.js:3:9)', resolved: place }] }, '')
  printExplanation(
    { frames: [{ raw: 'at n (file:///app/dist/pay.js:1:9)', resolved: { ...place, function: 'total' } }] },
    '',
  )
  expect(printed.join('')).toBe(
    'Resolved 1 of 1 frame.\nat total (file:///app/dist/pay.js:3:9)\n  → src/lib/pay.ts:6:22\n' +
      'Resolved 1 of 1 frame.\nat n (file:///app/dist/pay.js:1:9)\n  → total  src/lib/pay.ts:6:22\n',
  )
})

it('shows the error first, folds library frames, and shows each cause once', () => {
  const printed: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
  const reason = { code: 'no-artifact' as const, message: '/a.js was not uploaded.', fix: 'Upload it.' }
  const system = { code: 'not-a-project-frame' as const, message: '', fix: '' }
  const frames = [
    { raw: 'at pay (/a.js:1:1)', resolved: null, reason },
    { raw: 'at node:internal/a:1:1', resolved: null, reason: system },
    { raw: 'at react (/v.js:1:1)', resolved: { file: '../node_modules/react/index.js', line: 1 } },
    { raw: 'at buy (/a.js:2:1)', resolved: null, reason },
    { raw: 'at main (/m.js:1:1)', resolved: { file: 'src/main.ts', line: 7 } },
  ]
  printExplanation({ frames }, 'Error: refused')
  expect(printed.join('').split('\n')).toEqual([
    'Error: refused',
    'Resolved 1 of 3 frames.',
    'at pay (/a.js:1:1)',
    '  … 2 library frames',
    'at buy (/a.js:2:1)',
    'at main (/m.js:1:1)',
    '  → src/main.ts:7',
    'no-artifact (2 frames): /a.js was not uploaded.',
    '  fix: Upload it.',
    '',
  ])
})

it('shows the problem code next to each frame if the frames have different causes', () => {
  const printed: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
  const frames = (['no-artifact', 'prefix-mismatch'] as const).map((code) => ({
    raw: `at ${code}`,
    resolved: null,
    reason: { code, message: 'Why.', fix: '' },
  }))
  printExplanation({ frames }, '')
  expect(printed.join('')).toContain('at no-artifact\n  no-artifact\nat prefix-mismatch\n  prefix-mismatch\n')
})

it('marks and counts frames from debug builds', () => {
  const printed: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
  const reason = { code: 'already-original' as const, message: 'It is from a debug build.', fix: '' }
  printExplanation({ frames: [{ raw: 'at pay (src/pay.ts:1:1)', resolved: null, reason }] }, '')
  expect(printed.join('')).toBe('Resolved 1 of 1 frame.\nat pay (src/pay.ts:1:1)\n  It is from a debug build.\n')
})
