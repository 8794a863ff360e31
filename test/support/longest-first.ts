import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The slowest test files, longest first, as `.ci/run` lists them at its end. Without data from earlier runs, as in CI,
 * Vitest would start files by size. A file that takes a third of the tier would then start late and finish alone.
 */
export const LONGEST: readonly string[] = [
  'test/frameworks/frameworks.world.test.ts',
  'test/commands/commands.world.test.ts',
  'test/smoke/packed.world.test.ts',
  'test/e2e/android.world.test.ts',
  'test/docs/snippets.world.test.ts',
  'test/mini-program/frameworks.world.test.ts',
  'test/frameworks/react-native.world.test.ts',
  'test/leftovers/other-plugins.world.test.ts',
]

/** First the other tier, which runs first. */
const placeOf = ({ moduleId, project }: TestSpecification) => {
  if (project.name !== 'world') return -1
  const place = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`))
  return place < 0 ? LONGEST.length : place
}

/** Vitest sequencer: in the world tier, the longest files first; all others in Vitest's own order. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => placeOf(a) - placeOf(b))
  }
}
