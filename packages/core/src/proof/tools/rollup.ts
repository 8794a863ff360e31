import type { Tool } from './tool.ts'

/** Virtual modules of its plugins, and what its plugins for CommonJS and dynamic imports add. */
export const rollup: Tool = {
  name: 'Rollup',
  marks: /Could not dynamically require|Unknown variable dynamic import/,
  exportsAtEnd: /\bexport\s*\{[^{}]*\}/,
  virtual: /\0|commonjsHelpers/,
}
