import { resolve } from 'node:path'
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

it('says that there are none', async () => {
  const { problems } = await collectFlutter({ ...input, path: 'native' })
  expect(problems.map(({ code }) => code)).toEqual(['symbols-not-found'])
})
