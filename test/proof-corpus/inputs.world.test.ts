import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'
import { inputsOf } from './inputs.ts'

const copy = mkdtempSync(join(tmpdir(), 'symup-inputs-'))
for (const entry of ['build.mjs', 'package.json', 'builds', 'src'])
  cpSync(join(ROOT, 'fixtures/frameworks/corpus', entry), join(copy, entry), { recursive: true })
afterAll(() => rmSync(copy, { recursive: true }))

const BUILDS = ['vite 4, vue 2', 'parcel, kiosk', 'esbuild, vanilla', 'vite 7, marko', 'stencil']
/** The builds whose inputs differ after a change to this file. */
function changedBy(file: string, from: string | RegExp, to: string): string[] {
  const keys = () => BUILDS.map((name) => inputsOf(copy, copy, name))
  const before = keys()
  const text = readFileSync(join(copy, file), 'utf8')
  writeFileSync(join(copy, file), text.replace(from, to))
  const after = keys()
  writeFileSync(join(copy, file), text)
  expect(text.replace(from, to)).not.toBe(text)
  return BUILDS.filter((_, index) => before[index] !== after[index])
}

it('rebuilds an app after a change to it or to an app that it imports', () => {
  expect(changedBy('src/kiosk/App.vue', 'created', 'beforeCreate')).toEqual(['vite 4, vue 2', 'parcel, kiosk'])
  expect(changedBy('src/kiosk-2/main.ts', 'element', 'node')).toEqual(['vite 4, vue 2'])
  expect(changedBy('src/marko/tags/vote-row.marko', '99', '98')).toEqual(['vite 7, marko'])
  expect(changedBy('src/stencil/scale.ts', '5', '6')).toEqual(['stencil'])
  expect(changedBy('src/logic/money.ts', 'const', 'let')).toEqual(BUILDS)
  expect(changedBy('src/harbour/main.ts', 'import', ' import')).toEqual([])
})

it('rebuilds a recipe after a change to it or to shared code that it uses', () => {
  expect(changedBy('builds/seen-fourth.mjs', "withPlugins(4, 'kiosk-2'", "withPlugins(5, 'kiosk-2'")).toEqual([
    'vite 4, vue 2',
  ])
  expect(changedBy('builds/held-out.mjs', "withParcel('harbour')", "withParcel('kiosk')")).toEqual([])
  expect(changedBy('builds/seen-fourth-tools.mjs', 'export', '\nexport')).toEqual([
    'vite 4, vue 2',
    'parcel, kiosk',
    'vite 7, marko',
    'stencil',
  ])
})

it('rebuilds every build that names a package after a change to its version', () => {
  expect(changedBy('package.json', /"@stencil\/core": "[^"]*/, '"@stencil/core": "0')).toEqual(
    BUILDS.filter((name) => name !== 'esbuild, vanilla'),
  )
})

it('reports a build without a recipe as an error', () => {
  expect(() => inputsOf(copy, copy, 'vite 99, none')).toThrow('No module in builds/ has a recipe of "vite 99, none".')
})
