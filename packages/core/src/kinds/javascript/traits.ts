import type { Traits } from '../kind.ts'

const SCRIPT = /\.[mc]?js$/i

/**
 * Returns whether a path has a JavaScript extension. Browsers ignore the extension of a script, and bundlers can be configured to use
 * another extension.
 */
export function isScript(path: string): boolean {
  return SCRIPT.test(path)
}

export const isWasmFile = (file: string): boolean => /\.wasm$/i.test(file)

export const TRAITS = {
  script: 'minified_file',
  map: 'source_map',
  ships: true,
  // WebAssembly modules are binary, so their positions cannot be compared with source text.
  proves: ({ path }) => !isWasmFile(path),
  isScript,
} satisfies Traits
