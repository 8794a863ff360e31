import type { ArtifactSource } from '@symup/symbolicate'
import type { MapIndexes } from '../store/map-indexes.ts'
import { miniProgramSource } from '../store/mini-programs.ts'
import type { Store } from '../store/store.ts'
import { nativeSource } from './native-source.ts'
import { type KnownScripts, scriptSource } from './script-source.ts'
import { symbolFileSource } from './symbol-file-source.ts'

/**
 * The store as the resolver asks for it.
 * @param known where scripts are kept. Default: the store is asked each time.
 */
export function artifactSource(
  store: Store,
  accountId: number,
  indexes?: Pick<MapIndexes, 'running' | 'hasFailed'>,
  known?: KnownScripts,
): ArtifactSource {
  return {
    ...scriptSource(store, accountId, indexes, known),
    ...nativeSource(store, accountId),
    ...symbolFileSource(store, accountId),
    miniPrograms: miniProgramSource(store, accountId),
  }
}
