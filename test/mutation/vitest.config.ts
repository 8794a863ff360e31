import { mergeConfig } from 'vitest/config'
import config from '../../vitest.config.ts'
import { type Mutant, watchedText } from './mutants.ts'

declare global {
  /** The mutants of each file, while finding which tests reach them. The runner sets this. */
  var watched: Map<string, { index: number; mutant: Mutant }[]> | undefined
}

/** The tests' own config, with files that record where a mutant would be evaluated. Projects accept plugins only from a config file. */
export default mergeConfig(config, {
  test: { setupFiles: ['test/mutation/setup.ts'] },
  plugins: [
    {
      name: 'watched mutants',
      enforce: 'pre',
      transform: (_code: string, id: string) => {
        const file = id.split('?')[0] as string
        const watched = globalThis.watched?.get(file)
        return watched && { code: watchedText(file, watched), map: null }
      },
    },
  ],
})
