import type { Tool } from './tool.ts'

/** Stencil gives the modules that it generates names that look like imports instead of files. */
export const stencil: Tool = { name: 'Stencil', virtual: /^@[\w-]+(?:(?:\/[\w-]+)+$|-entrypoint\?)/ }
