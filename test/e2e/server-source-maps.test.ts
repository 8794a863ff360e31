import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import symup, { type SymupOptions } from '@symup/unplugin/esbuild'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { useDirectory } from '../support/directory.ts'
import { useIntake } from '../support/intake.ts'

const root = useDirectory('each')

const SOURCE = `export function total(prices: number[]): number {
  if (prices.length === 0) throw new RangeError('an empty cart has no total')
  return prices[0]
}
try {
  total([])
} catch (error) {
  console.log((error as Error).stack)
}
`

const intake = useIntake()

it('recognizes a Node stack with --enable-source-maps as already resolved, and resolves one without it', async () => {
  writeFileSync(join(root, 'total.ts'), SOURCE)
  const options: SymupOptions = {
    ...{ apiKey: 'dev-api-key', endpoint: intake.url, service: 'api', version: '1.2.3', git: false },
    ...{ ignoreConfigFile: true, minifiedPathPrefix: '/app/dist', logLevel: 'silent', deleteAfterUpload: false },
  }
  await build({
    ...{ absWorkingDir: root, entryPoints: ['total.ts'], outdir: 'dist', bundle: true, platform: 'node' },
    ...{ minify: true, sourcemap: true, logLevel: 'silent', plugins: [symup(options)] },
  })
  const thrown = async (...flags: string[]) => {
    const output = execFileSync(process.execPath, [...flags, join(root, 'dist/total.js')], { encoding: 'utf8' })
    const stack = output.replaceAll(root, '/app')
    const { frames } = await intake.resolve(stack, { service: 'api', version: '1.2.3' })
    return frames[0]
  }
  expect(await thrown()).toMatchObject({ resolved: { file: expect.stringMatching(/total\.ts$/), line: 2 } })
  expect(await thrown('--enable-source-maps')).toMatchObject({
    file: '/app/total.ts',
    line: 2,
    resolved: null,
    reason: { code: 'already-original', fix: '' },
  })
})
