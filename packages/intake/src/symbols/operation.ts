import type { Symbolicator } from '@symup/symbolicate'
import { operationsWith } from '../platform/operation.ts'
import type { Store } from './store/store.ts'

export interface SymbolServices {
  store: Store
  symbolicator: Symbolicator
}

export const defineOperation = operationsWith<SymbolServices>()
