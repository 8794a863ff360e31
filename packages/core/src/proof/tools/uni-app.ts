import type { Tool } from './tool.ts'

export const uniApp: Tool = {
  name: 'uni-app',
  // In builds for Alipay, the source name of a library consists only of a file name.
  own: [{ names: /^[^/:]+$/, beside: /^uni\.mp\.esm\.js$/ }],
  // Matches a page's list of components, which is never executed.
  pieces: [/\bif\s*\(!(?:Array|Math)\)\s*\{[^{}]{0,4000}\}|\b(?:Array|Math)\s*\|\|\s*\([^;{}]{0,4000}\)\(\)/g],
  // Matches the Vue package. In builds for Alipay, a helper from Vue's Vite plugin precedes the package.
  unmapped:
    /^(?:["']use strict["'];?)?(?:const _export_sfc=[^\n]{0,200})?\s*\/\*\*\s*\* @vue\/[\w-]+ v\d+\.\d+\.\d+\s*\* \(c\) /,
}
