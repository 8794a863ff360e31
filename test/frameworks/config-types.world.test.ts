import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'
import { buildPackages } from '../support/build-package.ts'
import { install } from '../support/install.ts'
import { copyWith } from './copy.ts'
import { MAJORS } from './majors.ts'

beforeAll(async () => {
  await buildPackages()
})

const fixture = (name: string) => join(ROOT, 'fixtures/frameworks', name)
const astro = (version: string) => `import { defineConfig } from 'astro/config'
import symup from '@symup/unplugin/astro'

export default defineConfig({ integrations: [symup({ service: 'shop', version: ${version} })] })
`
const next = (version: string) => `import { withSymup } from '@symup/unplugin/next'
import type { NextConfig } from 'next'

const config: NextConfig = withSymup({ reactStrictMode: true } satisfies NextConfig, { service: 'shop', version: ${version} })
export default config
`

// From templates: create-astro writes `// @ts-check` and defineConfig, create-next-app next.config.ts.
it.each([
  ['Astro 5', fixture('astro'), astro],
  ['Astro 7', copyWith('astro', MAJORS.astro[7]), astro],
  ['Next.js', fixture('nextjs'), next],
])(
  'compiles a config with the types of %s, but not with a wrong option',
  async (_, directory, configOf) => {
    await install(directory)
    const place = join(directory, 'node_modules/.config-types')
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, 'right.ts'), configOf("'1.2.3'"))
    writeFileSync(join(place, 'wrong.ts'), configOf('3'))

    expect(await compilerOn(['right.ts'], place)).toBe('')
    expect(await compilerOn(['wrong.ts'], place)).toContain("Type 'number' is not assignable to type 'string'")
  },
  600_000,
)

it('declares only imported names in the entries, even for projects that check library types', async () => {
  const dist = join(ROOT, 'packages/unplugin/dist')
  const entries = readdirSync(dist).filter((file) => file.endsWith('.d.ts'))
  const output = await compilerOn(entries, dist, '--skipLibCheck', 'false', '--allowImportingTsExtensions')
  expect(output.split('\n').filter((line) => /^[\w./]+\.d\.ts/.test(line) && !line.includes('node_modules'))).toEqual(
    [],
  )
  expect(entries).toContain('bun.d.ts')
}, 120_000)

/** The compiler's output for files. */
async function compilerOn(files: string[], cwd: string, ...more: string[]): Promise<string> {
  const options = [
    '--ignoreConfig',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--noEmit',
    '--skipLibCheck',
    '--types',
    '',
  ]
  const module = ['--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2023', '--jsx', 'preserve']
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const run = promisify(execFile)(process.execPath, [compiler, ...options, ...module, ...more, ...files], { cwd })
  return run.then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  )
}
