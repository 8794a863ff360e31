import type { Tool } from './tool.ts'

/** Matches polyfills and generator helpers from Closure Compiler. */
export const closureCompiler: Tool = {
  name: 'Closure Compiler',
  helpers: /\$jscomp/,
  calls: /(?:enter|leave|set)(?:Try|Catch|Finally|CatchFinally)Blocks?|get\w+Jsc|jumpTo(?:End)?|yield(?:All)?/,
  virtual: /^(?:src\/com\/google\/javascript\/jscomp\/js\/| ?\[synthetic:)/,
}
