import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import type { FlutterSymbolEvent } from './event.ts'
import { collectFlutter, examineFlutter } from './flutter.ts'

const FIXTURES = resolve(import.meta.dirname, '../../../../../fixtures/symbols')
const input = { service: 'shop', version: '1', toolVersion: '0', cwd: FIXTURES }

it('accepts symbol files for Android and iOS, although those for iOS have no build id', async () => {
  const { uploads, problems } = await collectFlutter({ ...input, path: 'flutter' })
  expect(problems).toEqual([])
  expect(uploads.map(({ event }) => event)).toMatchObject([
    { type: 'flutter_symbol_file', platform: 'android', arch: 'arm64', flavor: 'release' },
    { type: 'flutter_symbol_file', platform: 'ios', arch: 'arm64', flavor: 'release' },
  ])
})

it('accepts symbol files for HarmonyOS and desktop systems, and no other file names', async () => {
  const place = mkdtempSync(join(tmpdir(), 'symup-flutter-'))
  const names = [
    ...['ohos-arm64', 'darwin-x64', 'darwin-x86_64', 'linux-x64', 'windows-arm64', 'android-arm'],
    ...['fuchsia-arm64', 'ohos-mips'],
  ]
  for (const name of names)
    copyFileSync(join(FIXTURES, 'flutter/app.android-arm64.symbols'), join(place, `app.${name}.symbols`))
  const { uploads } = await collectFlutter({ ...input, path: place })
  rmSync(place, { recursive: true })
  const events = uploads.map(({ event }) => event as FlutterSymbolEvent)
  expect(events.flatMap(({ platform, arch }) => (platform === 'darwin' ? arch : []))).toEqual(['x64', 'x64'])
  expect(uploads.map(({ parts }) => parts[0]?.filename).sort()).toEqual(
    names
      .slice(0, 6)
      .map((name) => `app.${name}.symbols`)
      .sort(),
  )
})

it('warns about two builds in one release if their files have no build id', async () => {
  const place = mkdtempSync(join(tmpdir(), 'symup-flutter-'))
  const content = readFileSync(join(FIXTURES, 'flutter/app.ios-arm64.symbols'))
  const codesWith = async (second: Buffer) => {
    for (const [build, bytes] of Object.entries({ first: content, second })) {
      mkdirSync(join(place, build), { recursive: true })
      writeFileSync(join(place, build, 'app.ios-arm64.symbols'), bytes)
    }
    return (await collectFlutter({ ...input, path: place })).problems.map(({ code, severity }) => `${severity} ${code}`)
  }
  expect(await codesWith(Buffer.concat([content, Buffer.from('x')]))).toEqual(['warning build-id-missing'])
  expect(await codesWith(content)).toEqual([])
  rmSync(place, { recursive: true })
})

it('reports that the directory contains no symbol files', async () => {
  const { problems } = await collectFlutter({ ...input, path: 'native' })
  expect(problems.map(({ code }) => code)).toEqual(['symbols-not-found'])
})

it.each([
  ['a PDB', 'Shop.pdb', 'MSF', /^build\/Shop\.pdb is from a Windows build/],
  ['neither', 'notes.txt', '', /^Build with --split-debug-info/],
])('explains what to pass if the directory contains only %s', async (_, name, content, fix) => {
  const cwd = mkdtempSync(join(tmpdir(), 'symup-flutter-'))
  mkdirSync(join(cwd, 'build'))
  writeFileSync(join(cwd, 'build', name), content)
  for (const path of ['build', `build/${name}`]) {
    const { problems } = await collectFlutter({ ...input, cwd, path })
    expect(problems).toMatchObject([{ code: 'symbols-not-found', fix: expect.stringMatching(fix) }])
  }
  rmSync(cwd, { recursive: true })
})

it('accepts Mach-O files from newer Flutter versions for iOS and macOS, with the id that the runtime prints', async () => {
  const { uploads, problems } = await collectFlutter({ ...input, path: 'flutter-apple' })
  expect(problems).toEqual([])
  expect(uploads.map(({ event }) => event)).toMatchObject([{ platform: 'ios', arch: 'arm64' }])
  const directory = join(FIXTURES, 'flutter-apple')
  const own = ['app.ios-arm64.symbols']
  expect(await examineFlutter({ directory, own, files: own, single: false, cwd: directory })).toEqual({
    files: [
      {
        ...{ path: own[0], kind: 'flutter', bytes: statSync(join(directory, 'app.ios-arm64.symbols')).size },
        ...{ arch: 'arm64', debugInfo: true, symbols: true, buildId: '4c4c441e55553144a18f929b64d0e3e7' },
      },
    ],
    problems: [],
  })
})

it.each([
  ['a library of the app itself', 'apple/more/Shop.stripped', 'debug-info-missing'],
  ['a file of another type', 'native/edge/linker-script.so', 'native-not-elf'],
])('reports %s as unusable', async (_, file, code) => {
  const place = mkdtempSync(join(tmpdir(), 'symup-flutter-'))
  copyFileSync(join(FIXTURES, file), join(place, 'app.ios-arm64.symbols'))
  const { uploads, problems } = await collectFlutter({ ...input, path: place })
  rmSync(place, { recursive: true })
  expect(problems.map((it) => it.code)).toEqual([code])
  expect(problems[0]?.fix).toContain('--split-debug-info')
  expect(uploads).toHaveLength(code === 'debug-info-missing' ? 1 : 0)
})

it('does not send a Mach-O file without symbols, because it cannot resolve frames', async () => {
  const place = mkdtempSync(join(tmpdir(), 'symup-flutter-'))
  const bytes = readFileSync(join(FIXTURES, 'apple/more/Shop.stripped'))
  // Finds the LC_SYMTAB command. The number of symbols follows the table's offset.
  const command = bytes.indexOf(Buffer.from([2, 0, 0, 0, 24, 0, 0, 0]))
  expect(bytes.readUInt32LE(command + 12)).toBeGreaterThan(0)
  bytes.writeUInt32LE(0, command + 12)
  writeFileSync(join(place, 'app.ios-arm64.symbols'), bytes)
  const { uploads, problems } = await collectFlutter({ ...input, path: place })
  rmSync(place, { recursive: true })
  expect(uploads).toEqual([])
  expect(problems.map(({ code }) => code)).toEqual(['native-stripped'])
})
