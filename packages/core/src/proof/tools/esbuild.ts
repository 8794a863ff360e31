import type { Tool } from './tool.ts'

/**
 * Matches the esbuild helpers for CommonJS interop, iteration, private members, object rest, and the start of a lazily imported module.
 * Rolldown also uses these helpers.
 */
export const esbuild: Tool = {
  name: 'esbuild',
  marks:
    /__commonJS|getOwnPropertyNames|getOwnPropertyDescriptor|toStringTag|\("asyncIterator"\)|Symbol\.for\("Symbol\.|Cannot (?:add|read|write) /,
  pieces: [
    /if\s*\(([\w$]+)\)\s*throw \1\[0\];\s*try\s*\{[^{}]{1,160}\}\s*catch\s*\(([\w$]+)\)\s*\{\s*throw \1\s*=\s*\[\2\],\s*\2;?\s*\}/g,
    /for\s*\(var ([\w$]+) (?:in|of) [^};]{1,90}?\.indexOf\(\1\)\s*<\s*0/g,
  ],
  texts: /Dynamic require of|Object not|Object expected|Function expected/,
  exports:
    /(?<![\w$])[\w$]+:\s*(?:\(\)\s*=>\s*[\w$.]+|function\(\)\s*\{\s*return [\w$.]+;?\s*\}),?\s*|get [\w$]+\(\)\s*\{\s*return [\w$.]+;?\s*\},?\s*/,
  // Matches dead code that lists a CommonJS module's exports for Node.js.
  exportsAtEnd: /\b0\s*&&\s*\(module\.exports\s*=\s*\{[^{}]*\}\)/,
  // Matches the virtual source of an object in `define`, for which older versions of esbuild write no text into the map.
  virtual: /(?:^|\/)<define:/,
}

/**
 * Matches the comment that esbuild and Rolldown write at the start of a library module or a virtual module. The comment contains only the
 * name of the module.
 */
const NAMES_OTHERS = /^\/\/(?:#region)? ?(?:\\0|(?=\S*\bnode_modules\/))\S*[ \t\r]*$/m
/**
 * Matches a library module or a virtual module: its comment and the code up to the next comment at the start of a line. Library modules and
 * virtual modules are excluded because their lines are irrelevant for debugging.
 */
const OTHERS = new RegExp(`${NAMES_OTHERS.source}\\n[\\s\\S]*?(?=^//|(?![\\s\\S]))`, 'gm')

export function namesOthers(text: string): boolean {
  return NAMES_OTHERS.test(text)
}

export function withoutOthers(text: string): string {
  return namesOthers(text) ? text.replace(OTHERS, (module) => module.replace(/[^\n]/g, ' ')) : text
}
