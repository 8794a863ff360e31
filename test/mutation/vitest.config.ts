import { mergeConfig } from 'vitest/config'
import config from '../../vitest.config.ts'
import { type Mutant, mutatedText } from './mutants.ts'

declare global {
  /** The mutant that is tried; the runner sets it. */
  var mutant: Mutant | undefined
}

/** The tests' own config, with one file of the code changed. Projects take plugins from a config file only. */
export default mergeConfig(config, {
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      transform: (_code: string, id: string) =>
        globalThis.mutant && id.split('?')[0] === globalThis.mutant.file
          ? { code: mutatedText(globalThis.mutant), map: null }
          : undefined,
    },
  ],
})
