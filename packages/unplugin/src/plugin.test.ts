import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterEach, expect, it, vi } from 'vitest'
import { printedLines } from '../../../test/support/printed.ts'
import { esbuild, farm, rollup } from './bundlers/index.ts'
import type { SymupOptions } from './options.ts'
import { pluginFor } from './plugin.ts'

afterEach(() => vi.restoreAllMocks())

it('reports that requested debug ids are unavailable', () => {
  const output = printedLines()
  pluginFor(farm)({ debugIds: true, service: 's', version: '1' })
  expect(output.join('\n')).toContain('debug-ids-unsupported')
  output.length = 0
  pluginFor(rollup)({ debugIds: true, service: 's', version: '1' })
  expect(output).toEqual([])
})

it.each([
  [
    { delteAfterUpload: true },
    'option-unknown: The option "delteAfterUpload" does not exist. Did you mean "deleteAfterUpload"?',
  ],
  [
    { onError: 'warning' },
    'value-invalid: The option "onError" must be one of fail, warn, but is "warning". Did you mean "warn"?',
  ],
  [
    { site: 'STAGNG' },
    'site-unknown: The value of site from option site must be one of CN, STAGING, but is "STAGNG". Did you mean "STAGING"?',
  ],
])('fails a build with the options %j', async (mistyped, message) => {
  const options = {
    apiKey: 'k',
    service: 's',
    version: '1',
    minifiedPathPrefix: '/',
    ignoreConfigFile: true,
    ...mistyped,
  }
  const building = build({
    stdin: { contents: '1' },
    outdir: join(tmpdir(), 'symup-never-written'),
    logLevel: 'silent',
    plugins: [pluginFor(esbuild)(options as SymupOptions)],
  })
  await expect(building).rejects.toThrow(message)
})
