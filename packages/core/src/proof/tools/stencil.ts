import type { Tool } from './tool.ts'

/** It names modules that it makes as people import them, not as files. */
export const stencil: Tool = { name: 'Stencil', virtual: /^@[\w-]+(?:(?:\/[\w-]+)+$|-entrypoint\?)/ }
