import type { Tool } from './tool.ts'

/** Rspack's other output matches the patterns for webpack. */
export const rspack: Tool = { name: 'Rspack', marks: /__rspack|rspackChunk/ }
