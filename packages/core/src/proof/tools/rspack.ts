import type { Tool } from './tool.ts'

/** Otherwise Rspack's output is like webpack's. */
export const rspack: Tool = { name: 'Rspack', marks: /__rspack|rspackChunk/ }
