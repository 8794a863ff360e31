import { beforeEach, expect, it, vi } from 'vitest'
import { failOn, startWith } from '../../../../test/support/faulty-files.ts'
import type { Plan } from '../model/plan.ts'
import { collectBreakpad } from './breakpad/breakpad.ts'
import { collectDsyms } from './dsym/dsym.ts'
import { collectFlutter } from './flutter/flutter.ts'
import { collectJavaScript } from './javascript/javascript.ts'
import { collectNdkLibraries } from './ndk/ndk.ts'

vi.mock('node:fs', async () => (await import('../../../../test/support/faulty-files.ts')).fsModule)
vi.mock('node:fs/promises', async () => (await import('../../../../test/support/faulty-files.ts')).promisesModule)

const release = { service: 'shop', version: '1', toolVersion: '0', cwd: '/' }
const android = { ...release, versionCode: 1, variant: 'release' }

const KINDS: Record<string, () => Promise<Pick<Plan, 'problems'>>> = {
  'source maps': () => collectJavaScript({ ...release, directory: '/dist', minifiedPathPrefix: '/' }),
  'Breakpad symbols': () => collectBreakpad({ ...release, path: '/dist' }),
  'Flutter’s symbols': () => collectFlutter({ ...release, path: '/dist' }),
  'native libraries': () => collectNdkLibraries({ ...android, paths: ['/dist'], temporaryDirectory: '/tmp' }),
  dSYMs: () => collectDsyms({ ...release, paths: ['/dist'], temporaryDirectory: '/tmp' }),
}

beforeEach(() => startWith({ '/dist/a.js': 'a()', '/dist/locked/b.js': 'b()' }))

it.each(Object.keys(KINDS))('names the subdirectory with %s that cannot be listed', async (kind) => {
  failOn('readdir', '/dist/locked', 'EACCES')
  const { problems } = (await KINDS[kind]?.()) ?? { problems: [] }
  expect(problems[0]?.code).toBe('directory-unreadable')
  expect(problems[0]?.file).toBe('/dist/locked')
  expect(problems[0]?.message).toBe('The path cannot be read (EACCES).')
})
