import type { Symbolicator } from '@symup/symbolicate'
import { operationsWith } from '../platform/operation.ts'
import type { MapIndexes } from './store/map-indexes.ts'
import type { Store } from './store/store.ts'

export interface SymbolServices {
  store: Store
  symbolicator: Symbolicator
  indexes: Pick<MapIndexes, 'hasFailed'>
}

export const defineOperation = operationsWith<SymbolServices>()
