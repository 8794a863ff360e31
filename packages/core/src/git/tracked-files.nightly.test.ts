import { expect, it } from 'vitest'
import { cpuSeconds } from '../../../../test/support/cpu-seconds.ts'
import { TrackedFiles } from './tracked-files.ts'

it('searches a monorepo of 10,000 packages with identical source names quickly', async () => {
  const names = Array.from({ length: 10_000 }, (_, nth) => `p${nth}`)
  const trackedFiles = names.map((name) => `packages/${name}/src/index.ts`)
  const sources = names.map((name) => `webpack://x/other/${name}x/src/index.ts`)
  const seconds = await cpuSeconds(() => {
    const files = new TrackedFiles({ root: '/repo', trackedFiles }, '/repo/app')
    expect(files.among(sources, '/repo/app/dist/a.js.map')).toEqual([])
  })
  expect(seconds).toBeLessThan(1)
})
