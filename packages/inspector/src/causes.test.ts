import { afterAll, expect, it, vi } from 'vitest'
import { prefixFix } from './causes.ts'

vi.hoisted(() => vi.stubGlobal('navigator', { languages: ['en'] }))
afterAll(() => vi.unstubAllGlobals())

const cause = (fix = 'Upload the files with the path prefix /shop instead of /.') => ({ code: 'prefix-mismatch', fix })

it.each([
  ['vite', '/shop/'],
  ['parcel', '/shop/'],
  ['vite', 'app:///'],
])('shows the symup option for %s and %s', (plugin, prefix) =>
  expect(prefixFix(cause(`Upload the files with the path prefix ${prefix} instead of /.`), `symup-${plugin}`)).toBe(
    `Change the \`minifiedPathPrefix\` option so that it starts with \`${prefix}\` instead of \`/\`, and rebuild.`,
  ),
)

it.each(['symup-cli', 'symup-gradle', 'datadog-ci', null])('does not change the fix for uploads from %s', (sender) =>
  expect(prefixFix(cause(), sender)).toBeUndefined(),
)
