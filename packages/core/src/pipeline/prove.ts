import { comparedOf } from '../kinds/index.ts'
import type { SymbolUpload } from '../model/plan.ts'
import { type Proof, type ProofOptions, proveAll } from '../proof/prove.ts'

/**
 * Resolves sample positions with the bytes to be sent, and compares them with the sources in the maps. Samples are
 * throws, calls, function starts and ends of long lines, at most 200 per file. Files are read in windows, so memory
 * does not grow with them.
 */
export function prove(uploads: readonly SymbolUpload[], options: ProofOptions = {}): Promise<Proof> {
  return proveAll(uploads, { ...options, filesOf: comparedOf })
}
