import type { Tool } from './tool.ts'

export const uniApp: Tool = {
  name: 'uni-app',
  // A list of a page's components, which never runs.
  pieces: [/\bif\s*\(!(?:Array|Math)\)\s*\{[^{}]{0,4000}\}|\b(?:Array|Math)\s*\|\|\s*\([^;{}]{0,4000}\)\(\)/g],
  // A package of Vue. For Alipay a helper of Vue's Vite plugin is before it.
  unmapped:
    /^(?:["']use strict["'];?)?(?:const _export_sfc=[^\n]{0,200})?\s*\/\*\*\s*\* @vue\/[\w-]+ v\d+\.\d+\.\d+\s*\* \(c\) /,
}
