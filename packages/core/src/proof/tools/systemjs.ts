import type { Tool } from './tool.ts'

/**
 * Matches module wrappers for SystemJS and AMD loaders, and the SystemJS loader itself, which @vitejs/plugin-legacy bundles without
 * mappings.
 */
export const systemJs: Tool = {
  name: 'SystemJS',
  marks: /System\.register|define\.amd/,
  unmapped: /\(SystemJS https:\/\/github\.com\/systemjs\//,
}
