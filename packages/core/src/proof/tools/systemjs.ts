import type { Tool } from './tool.ts'

/**
 * Matches the wrappers of modules for loaders (SystemJS and AMD), and the loader itself, which @vitejs/plugin-legacy bundles without
 * mappings.
 */
export const systemJs: Tool = {
  name: 'SystemJS',
  marks: /System\.register|define\.amd/,
  unmapped: /\(SystemJS https:\/\/github\.com\/systemjs\//,
}
