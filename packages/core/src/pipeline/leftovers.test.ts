import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Secret } from '../model/secret.ts'
import { findLeftovers } from './leftovers.ts'
import type { BuildOutput, RunState } from './outputs.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'symup-inspect-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function output(directory: string, ...files: string[]): BuildOutput {
  return { directory: join(root, directory), files: new Set(files), deletable: new Set() }
}

function write(file: string, content = 'a()'): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), content)
}

const setting = <T>(value: T) => ({ value, from: { kind: 'environment' as const, name: 'E' }, overrode: [] })
const leftovers = (outputs: BuildOutput[], more: Partial<RunState> = {}) =>
  findLeftovers({ outputs, artifacts: [], settings: {}, root, toolVersion: '1', mapsMustGo: true, ...more })

async function found(outputs: BuildOutput[], keyOnly = false): Promise<string[]> {
  const settings = { apiKey: setting(new Secret('a-key-of-some-length')) }
  const { problems } = await leftovers(outputs, { settings, keyOnly })
  return problems.map(({ code, file }) => `${code} ${file}`).sort()
}

it('searches a whole output directory, including files from other tools', async () => {
  write('dist/app.js.map', '{}')
  write('dist/public/config.json', '{"k":"a-key-of-some-length"}')
  expect(await found([output('dist', 'app.js')])).toEqual([
    'leak-api-key dist/public/config.json',
    'leak-map dist/app.js.map',
  ])
})

it('searches a nested output directory once', async () => {
  write('dist/server/app.js.map', '{}')
  expect(await found([output('dist'), output('dist/server', 'app.js')])).toEqual(['leak-map dist/server/app.js.map'])
})

it('searches only built files if the output directory is the project itself', async () => {
  write('bundle.js')
  write('bundle.js.map', '{}')
  write('.env', 'KEY=a-key-of-some-length')
  write('node_modules/a/index.js.map', '{}')
  expect(await found([output('.', 'bundle.js', 'bundle.js.map', 'deleted.js.map')])).toEqual(['leak-map bundle.js.map'])
})

it('searches only built files if other builds write into the same directory', async () => {
  write('dist/main.js')
  write('dist/preload.js.map', '{}')
  expect(await found([{ ...output('dist', 'main.js', 'main.js.map'), shared: true }])).toEqual([])
})

it('reports a remaining map as an error unless maps are allowed, and kept maps in one line', async () => {
  write('dist/vendor.js.map', '{}')
  const outputs = [output('dist', 'app.js')]
  const { problems, lines } = await leftovers(outputs)
  expect(problems).toMatchObject([{ code: 'leak-map', severity: 'error', file: 'dist/vendor.js.map' }])
  const printed = lines.map(({ text }) => text).join('\n')
  expect(printed).toContain('dist/vendor.js.map')
  // symup does not delete files that the user copies.
  expect(printed).toContain('fix: This build did not create the source map')
  expect(printed).not.toContain('deleteAfterUpload')
  const own = await leftovers([output('dist', 'vendor.js.map')])
  expect(own.lines.at(-1)?.text).toContain('(deleteAfterUpload)')
  const allowed = await leftovers(outputs, { settings: { allow: setting(['vendor.js.map']) } })
  expect(allowed).toEqual({ problems: [], lines: [{ severity: 'info', text: 'Allowed: 1.' }] })
  const kept = await leftovers(outputs, { mapsMustGo: false })
  expect(kept.problems).toEqual([])
  expect(kept.lines).toMatchObject([{ severity: 'info', text: expect.stringContaining('dist/vendor.js.map') }])
})

it('reports kept maps in one line, even if other leaks are found', async () => {
  write('dist/app.js.map', '{}')
  write('dist/assets.json', '{"app.js.map":"app.js.map"}')
  const outputs = [output('dist', 'app.js.map', 'assets.json')]
  const { problems, lines } = await leftovers(outputs, { mapsMustGo: false })
  expect(problems).toMatchObject([{ code: 'leak-manifest', file: 'dist/assets.json' }])
  expect(lines.at(-1)?.text).toBe(
    'The output still contains 1 source map from this build (dist/app.js.map). Exclude source maps from the deployment, or set deleteAfterUpload: true.',
  )
})

it('searches only for the API key if the maps will be uploaded from the output directory', async () => {
  write('dist/app.js', 'key("a-key-of-some-length")')
  write('dist/app.js.map', '{}')
  expect(await found([output('dist', 'app.js')], true)).toEqual(['leak-api-key dist/app.js'])
  const { problems } = await leftovers([output('dist', 'app.js')], { keyOnly: true })
  expect(problems).toEqual([])
})

it('reports an inline map as an error under strict, but here only for style sheets, because scripts were reported earlier', async () => {
  const inline = 'sourceMappingURL=data:application/json;base64,e30='
  write('dist/app.js', `a()\n//# ${inline}\n`)
  write('dist/app.css', `a{}\n/*# ${inline} */\n`)
  const told = async (strict: boolean) => {
    const { problems, lines } = await leftovers([output('dist')], { mapsMustGo: false, strictFindings: strict })
    return [problems.map(({ severity }) => severity), lines.filter(({ text }) => /app\.(?:js|css)/.test(text)).length]
  }
  expect(await told(false)).toEqual([['warning'], 1])
  expect(await told(true)).toEqual([['error'], 1])
})
