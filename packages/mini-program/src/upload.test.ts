import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Line } from '@symup/core/internal'
import { build } from 'esbuild'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeZip } from '../../../test/support/crafted-zip.ts'
import { uploadMiniProgram } from './index.ts'

const SOURCE = `export function pay(cart: { price: number }[]): number {
  if (cart.length === 0) throw new RangeError('an empty cart has no total')
  return cart.map(({ price }) => price).reduce((sum, price) => sum + price, 0)
}
Page({ tap: () => console.log(pay([])), shown: () => wx.showToast({ title: 'paid' }) })
`

let place: string
beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'symup-mini-upload-'))
  mkdirSync(join(place, 'dist/pages'), { recursive: true })
  writeFileSync(join(place, 'pay.ts'), SOURCE)
  writeFileSync(join(place, 'dist/app.json'), '{"pages":["pages/pay"]}')
  const options = { bundle: true, minify: true, sourcemap: 'external' } as const
  await build({ entryPoints: [join(place, 'pay.ts')], outdir: join(place, 'dist/pages'), ...options })
})
afterEach(() => rmSync(place, { recursive: true }))

async function dryRun(from = 'dist', more: { over?: string } = {}) {
  const lines: Line[] = []
  const release = { service: 's', version: '1', appid: 'wx1', dryRun: true, ignoreConfigFile: true }
  const { exitCode } = await uploadMiniProgram(from, { ...release, ...more, cwd: place, log: (it) => lines.push(it) })
  return { exitCode, text: lines.map(({ text }) => text).join('\n') }
}

/** As a tool does that writes a licence above the script and leaves the map. */
function shift(): void {
  const script = join(place, 'dist/pages/pay.js')
  writeFileSync(script, `/* ours */\n${readFileSync(script, 'utf8')}`)
}

it('proves the scripts of a build before their maps are sent', async () => {
  const right = await dryRun()
  expect(right.text).toMatch(/(\d+) of \1 places in 1 of your files resolve to the line \(1 script\)/)
  shift()
  const shifted = await dryRun()
  expect(shifted.text).toContain('map-stale: dist/pages/pay.js: ')
  expect(shifted.text).not.toMatch(/places in 1 of your files resolve/)
})

it('proves the build that an exported archive is led through', async () => {
  const host = JSON.stringify({ version: 3, sources: ['pages/pay.js'], names: [], mappings: 'AAAA' })
  writeZip(join(place, 'sourcemap.zip'), { entries: [{ name: '__FULL__/app-service.js.map', content: host }] })
  shift()
  expect((await dryRun('sourcemap.zip', { over: 'dist' })).text).toContain('map-stale: dist/pages/pay.js: ')
})

it('sends the other maps of a build where one cannot be read', async () => {
  writeFileSync(join(place, 'dist/app.js'), 'App({})\n')
  writeFileSync(join(place, 'dist/app.js.map'), '{"version":3,"sources":["a.ts"],"names":[],"mappings":"!"}')
  const { text } = await dryRun()
  expect(text).toMatch(/map-invalid: dist\/app\.js: |archive-invalid/)
})
