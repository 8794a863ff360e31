import type { Tool } from './tool.ts'

/** Stencil names the modules that it generates like imports, not like files. */
export const stencil: Tool = { name: 'Stencil', virtual: /^@[\w-]+(?:(?:\/[\w-]+)+$|-entrypoint\?)/ }
