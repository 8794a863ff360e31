import type { ArtifactSource } from '@symup/symbolicate'
import { miniProgramSource } from '../store/mini-programs.ts'
import type { Store } from '../store/store.ts'
import { nativeSource } from './native-source.ts'
import { scriptSource } from './script-source.ts'
import { symbolFileSource } from './symbol-file-source.ts'

export function artifactSource(store: Store, accountId: number): ArtifactSource {
  return {
    ...scriptSource(store, accountId),
    ...nativeSource(store, accountId),
    ...symbolFileSource(store, accountId),
    miniPrograms: miniProgramSource(store, accountId),
  }
}
