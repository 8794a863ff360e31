import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CheckDocument } from '@symup/core/internal'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'
import { symup } from '../support/command.ts'

const symbols = join(ROOT, 'fixtures/symbols')
const BUNDLE = 'index.android.bundle'

let place: string
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'symup-kinds-'))
  for (const directory of ['out/ark', 'out/lib/arm64-v8a', 'mini'])
    mkdirSync(join(place, directory), { recursive: true })
  writeFileSync(join(place, 'small.ts'), 'export const small = (a: number) => a + 1\n')
  writeFileSync(
    join(place, 'large.ts'),
    `import { small } from './small'\nexport function large(a: number) {\n  if (a < 0) throw new Error('no')\n  return small(a)\n}\nconsole.log(large(1))\n`,
  )
  const options = { bundle: true, minify: true, sourcemap: 'external' } as const
  await build({ entryPoints: [join(place, 'large.ts')], outdir: join(place, 'out'), ...options })
  await build({ entryPoints: [join(place, 'large.ts')], outdir: join(place, 'mini'), ...options })
  copyFileSync(join(symbols, 'harmony/turbowarp-hmos-MIT/sourceMaps.map'), join(place, 'out/ark/sourceMaps.map'))
  copyFileSync(join(symbols, 'native/arm64-v8a/libshop.so'), join(place, 'out/lib/arm64-v8a/libshop.so'))
  writeFileSync(join(place, 'out/mapping.txt'), 'com.shop.Cart -> a.a:\n    int total -> b\n')
  for (const suffix of ['', '.map'])
    copyFileSync(join(symbols, 'react-native/android', BUNDLE + suffix), join(place, 'out', BUNDLE + suffix))
  writeFileSync(join(place, 'mini/app.json'), '{"pages":[]}')
  await symup(['mini-program', 'pack', 'mini', '-o', 'out/sourcemap.zip'], { cwd: place })
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

const check = (...args: string[]) => symup(['check', ...args, '--no-config-file'], { cwd: place })
const document = async (...args: string[]) => JSON.parse((await check(...args, '--json')).stdout) as CheckDocument

describe('symup check', () => {
  it('lists every kind in one table, and what the scripts are mostly made of', async () => {
    const { files } = await document('out')
    expect(new Set(files.map(({ kind }) => kind))).toEqual(
      new Set(['javascript', 'mini-program', 'arkts', 'jvm-mapping', 'elf', 'react-native']),
    )
    expect(files.find(({ kind }) => kind === 'arkts')?.maps).toBe(3)
    expect(files.find(({ kind }) => kind === 'mini-program')).toMatchObject({ maps: 1 })
    const sizes = files.find(({ kind }) => kind === 'javascript')?.biggestSources ?? []
    expect(sizes.map(({ source }) => source)).toEqual(['../large.ts', '../small.ts'])
    const { stdout } = await check('out')
    expect(stdout).toMatch(/Biggest sources:\n +\d+ B {2}\.\.\/large\.ts\n +\d+ B {2}\.\.\/small\.ts/)
    expect(stdout).toMatch(/sourcemap\.zip: .* of 500\.0 MiB decompressed; largest map .*, .* of 50\.0 MiB\./)
  })

  it('1 under --strict when a map of any kind would leave stacks unresolved', async () => {
    writeFileSync(join(place, 'bad.map'), '')
    mkdirSync(join(place, 'bad'), { recursive: true })
    writeFileSync(join(place, 'bad/sourceMaps.map'), '{"version":3,"mappings":""}')
    copyFileSync(join(symbols, 'react-native/android', BUNDLE), join(place, 'bad', BUNDLE))
    copyFileSync(join(symbols, 'react-native/android', `${BUNDLE}.packager.map`), join(place, 'bad', `${BUNDLE}.map`))
    writeFileSync(join(place, 'bad/sourcemap.zip'), 'no zip')
    const found = await document('bad')
    expect(found.problems.map(({ code, file }) => [code, file]).sort()).toEqual([
      ['archive-invalid', 'bad/sourcemap.zip'],
      ['arkts-map-invalid', 'bad/sourceMaps.map'],
      ['map-uncomposed', `bad/${BUNDLE}.map`],
    ])
    expect((await check('bad', '--strict')).exitCode).toBe(1)
    const blank = join(place, 'blank')
    mkdirSync(blank, { recursive: true })
    writeFileSync(join(blank, 'a.js'), 'a()')
    writeFileSync(join(blank, 'a.js.map'), '{"version":3,"sources":["a"],"names":[],"mappings":";;"}')
    await symup(['mini-program', 'pack', 'blank', '-o', 'blank.zip'], { cwd: place })
    expect((await document('blank.zip')).problems.map(({ code, file }) => [code, file])).toContainEqual([
      'map-blank',
      expect.stringMatching(/^blank\.zip: .*a\.js\.map$/),
    ])
    const codes = [[], ['--fail-on-warnings'], ['--strict']].map(
      async (flags) => (await check('blank.zip', ...flags)).exitCode,
    )
    expect(await Promise.all(codes)).toEqual([0, 1, 1])
  })
})
