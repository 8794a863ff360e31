import type { Tool } from './tool.ts'

/** Matches the virtual modules of Rollup's plugins, and the code that its plugins for CommonJS and dynamic imports add. */
export const rollup: Tool = {
  name: 'Rollup',
  marks: /Could not dynamically require|Unknown variable dynamic import/,
  exportsAtEnd: /\bexport\s*\{[^{}]*\}/,
  virtual: /\0|commonjsHelpers/,
}
