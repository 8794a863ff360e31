import { mergeConfig } from 'vitest/config'
import config from '../../vitest.config.ts'
import { type Mutant, mutatedText, watchedText } from './mutants.ts'

declare global {
  /** The mutant that is tried; the runner sets it. */
  var mutant: Mutant | undefined
  /** The mutants of each file, while it is looked which tests reach them; the runner sets it. */
  var watched: Map<string, { index: number; mutant: Mutant }[]> | undefined
}

/** The tests' own config, with one file of the code changed. Projects take plugins from a config file only. */
export default mergeConfig(config, {
  test: { setupFiles: ['test/mutation/setup.ts'] },
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      transform: (_code: string, id: string) => {
        const file = id.split('?')[0] as string
        const watched = globalThis.watched?.get(file)
        if (watched) return { code: watchedText(file, watched), map: null }
        return globalThis.mutant?.file === file ? { code: mutatedText(globalThis.mutant), map: null } : undefined
      },
    },
  ],
})
