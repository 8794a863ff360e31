import type { Tool } from './tool.ts'

/** The names of the modules that Stencil generates look like import specifiers instead of file names. */
export const stencil: Tool = { name: 'Stencil', virtual: /^@[\w-]+(?:(?:\/[\w-]+)+$|-entrypoint\?)/ }
