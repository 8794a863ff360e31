import type { ArtifactSource } from '@symup/symbolicate'
import type { MapIndexes } from '../store/map-indexes.ts'
import { miniProgramSource } from '../store/mini-programs.ts'
import type { Store } from '../store/store.ts'
import { nativeSource } from './native-source.ts'
import { scriptSource } from './script-source.ts'
import { symbolFileSource } from './symbol-file-source.ts'

export function artifactSource(
  store: Store,
  accountId: number,
  indexes?: Pick<MapIndexes, 'hasFailed'>,
): ArtifactSource {
  return {
    ...scriptSource(store, accountId, indexes),
    ...nativeSource(store, accountId),
    ...symbolFileSource(store, accountId),
    miniPrograms: miniProgramSource(store, accountId),
  }
}
