import { beforeEach, expect, it, vi } from 'vitest'
import { failOn, files, startWith } from '../../../../test/support/faulty-files.ts'
import { scriptEvent } from '../kinds/javascript/event.fixture.ts'
import type { Plan, SymbolUpload } from '../model/plan.ts'
import { deleteMaps } from './delete-maps.ts'

vi.mock('node:fs', async () => (await import('../../../../test/support/faulty-files.ts')).fsModule)
vi.mock('node:fs/promises', async () => (await import('../../../../test/support/faulty-files.ts')).promisesModule)

const NAMES = ['a.js.map', 'b.js.map']
const output = { directory: '/app/dist', files: new Set<string>(), deletable: new Set(NAMES) }
const plan: Plan = {
  uploads: NAMES.map(
    (name): SymbolUpload => ({
      event: scriptEvent('/'),
      parts: [{ name: 'source_map', filename: 'source_map', path: `/app/dist/${name}`, bytes: 2 }],
    }),
  ),
  problems: [],
}
beforeEach(() => startWith(Object.fromEntries(NAMES.map((name) => [`/app/dist/${name}`, '{}']))))
const left = () => files.readdirSync('/app/dist')

it('deletes both, when nothing fails', async () => {
  const { problems, arrived } = await deleteMaps(output, plan, ['accepted', 'accepted'], '/app')
  expect({ problems, left: left() }).toEqual({ problems: [], left: [] })
  expect(arrived).toHaveLength(2)
})

it.each(['EACCES', 'EPERM', 'EROFS', 'EBUSY'])(
  'names a map that stays because of %s, and deletes the other',
  async (code) => {
    failOn('unlinkSync', '/app/dist/a.js.map', code)
    const { problems, arrived } = await deleteMaps(output, plan, ['accepted', 'accepted'], '/app')
    expect(problems).toMatchObject([{ code: 'map-not-deleted', file: 'dist/a.js.map' }])
    expect(problems[0]?.message).toContain(code)
    expect(left()).toEqual(['a.js.map'])
    expect(arrived).toEqual(['/app/dist/b.js.map'])
  },
)
