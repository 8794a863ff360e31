import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { collectFlutter } from './flutter.ts'

const FIXTURES = resolve(import.meta.dirname, '../../../../../fixtures/symbols')
const input = { service: 'shop', version: '1', toolVersion: '0', cwd: FIXTURES }

it('takes the files of both systems: those for iOS have no build-id', async () => {
  const { uploads, problems } = await collectFlutter({ ...input, path: 'flutter' })
  expect(problems).toEqual([])
  expect(uploads.map(({ event }) => event)).toMatchObject([
    { type: 'flutter_symbol_file', platform: 'android', arch: 'arm64', flavor: 'release' },
    { type: 'flutter_symbol_file', platform: 'ios', arch: 'arm64', flavor: 'release' },
  ])
})

it('takes those of HarmonyOS and of desktops, and of no other name', async () => {
  const place = mkdtempSync(join(tmpdir(), 'symup-flutter-'))
  const names = ['ohos-arm64', 'darwin-x64', 'linux-x64', 'windows-arm64', 'android-arm', 'fuchsia-arm64', 'ohos-mips']
  for (const name of names)
    copyFileSync(join(FIXTURES, 'flutter/app.android-arm64.symbols'), join(place, `app.${name}.symbols`))
  const { uploads } = await collectFlutter({ ...input, path: place })
  rmSync(place, { recursive: true })
  expect(uploads.map(({ parts }) => parts[0]?.filename).sort()).toEqual(
    names
      .slice(0, 5)
      .map((name) => `app.${name}.symbols`)
      .sort(),
  )
})

it('says that there are none', async () => {
  const { problems } = await collectFlutter({ ...input, path: 'native' })
  expect(problems.map(({ code }) => code)).toEqual(['symbols-not-found'])
})
