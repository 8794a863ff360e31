import type { Tool } from './tool.ts'

/** In all other respects, Rspack's output is like webpack's. */
export const rspack: Tool = { name: 'Rspack', marks: /__rspack|rspackChunk/ }
