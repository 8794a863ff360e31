import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import { ROOT } from './build-fixture.ts'
import LongestFirst, { LONGEST } from './longest-first.ts'

it('names files that are there', () => {
  expect(LONGEST.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
})

it('starts the world tier with them, after the fast one', async () => {
  const cache = { getFileTestResults: () => undefined, getFileStats: () => undefined }
  const sequencer = new LongestFirst({ cache, config: { root: ROOT } } as unknown as Vitest)
  const of = (name: string, groupOrder: number, file: string) =>
    ({
      moduleId: join(ROOT, file),
      project: { name, config: { isolate: true, sequence: { groupOrder } } },
    }) as unknown as TestSpecification
  const [first = '', second = ''] = LONGEST
  const files = [
    of('world', 1, 'test/short.world.test.ts'),
    of('world', 1, second),
    of('fast', 0, 'test/short.test.ts'),
    of('world', 1, first),
  ]
  const sorted = (await sequencer.sort(files)).map(({ moduleId }) => moduleId.slice(ROOT.length + 1))
  expect(sorted).toEqual(['test/short.test.ts', first, second, 'test/short.world.test.ts'])
})
