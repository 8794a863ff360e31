import type { Tool } from './tool.ts'

/**
 * esbuild's helpers, which Rolldown also has: interop with CommonJS, iteration, private members, object rest, and the
 * start of a lazily imported module.
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
  // A hint for Node in dead code.
  exportsAtEnd: /\b0\s*&&\s*\(module\.exports\s*=\s*\{[^{}]*\}\)/,
  // The value of an object in `define`, whose text older versions omit.
  virtual: /(?:^|\/)<define:/,
}

/** The comment at the start of a library's module or a virtual module, as esbuild and Rolldown write it. It contains only the name. */
const NAMES_OTHERS = /^\/\/(?:#region)? ?(?:\\0|(?=\S*\bnode_modules\/))\S*[ \t\r]*$/m
/** Such a module: the comment and the code up to the next comment at the start of a line. Nobody debugs its lines. */
const OTHERS = new RegExp(`${NAMES_OTHERS.source}\\n[\\s\\S]*?(?=^//|(?![\\s\\S]))`, 'gm')

/** Whether a text contains a comment that begins a library's module. */
export function namesOthers(text: string): boolean {
  return NAMES_OTHERS.test(text)
}

/** A text with libraries' modules blanked. */
export function withoutOthers(text: string): string {
  return namesOthers(text) ? text.replace(OTHERS, (module) => module.replace(/[^\n]/g, ' ')) : text
}
