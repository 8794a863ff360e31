import type { Tool } from './tool.ts'

/** The rest of its output is like that of webpack. */
export const rspack: Tool = { name: 'Rspack', marks: /__rspack|rspackChunk/ }
