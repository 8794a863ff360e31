import { beforeEach, expect, it, vi } from 'vitest'
import { failOn, files, startWith } from '../../../../test/support/faulty-files.ts'
import { scriptEvent } from '../kinds/javascript/event.fixture.ts'
import type { SymbolUpload } from '../model/plan.ts'
import { clearMaps } from './clean-up.ts'

vi.mock('node:fs', async () => (await import('../../../../test/support/faulty-files.ts')).fsModule)
vi.mock('node:fs/promises', async () => (await import('../../../../test/support/faulty-files.ts')).promisesModule)

const NAMES = ['a.js.map', 'b.js.map']
const output = { directory: '/app/dist', files: new Set<string>(), deletable: new Set(NAMES) }
const artifacts = NAMES.map((name) => {
  const parts = [{ name: 'source_map', filename: 'source_map', path: `/app/dist/${name}`, bytes: 2 }]
  const upload: SymbolUpload = { event: scriptEvent('/'), parts }
  return { upload, status: 'accepted' as const }
})
const clear = () => clearMaps({ outputs: [output], artifacts, settings: {}, root: '/app', toolVersion: '1' })
beforeEach(() => startWith(Object.fromEntries(NAMES.map((name) => [`/app/dist/${name}`, '{}']))))
const left = () => files.readdirSync('/app/dist')

it('deletes both maps if no call fails', () => {
  const { problems, gone } = clear()
  expect({ problems, left: left() }).toEqual({ problems: [], left: [] })
  expect(gone).toHaveLength(2)
})

it.each(['EACCES', 'EPERM', 'EROFS', 'EBUSY'])(
  'reports a map that remains because of %s, and deletes the other map',
  (code) => {
    failOn('unlinkSync', '/app/dist/a.js.map', code)
    const { problems, gone } = clear()
    expect(problems).toMatchObject([{ code: 'map-not-deleted', file: 'dist/a.js.map' }])
    expect(problems[0]?.message).toContain(code)
    expect(left()).toEqual(['a.js.map'])
    expect(gone).toEqual(['/app/dist/b.js.map'])
  },
)
