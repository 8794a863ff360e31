import type { Tool } from './tool.ts'

/** The remaining output of Rspack matches the patterns for webpack. */
export const rspack: Tool = { name: 'Rspack', marks: /__rspack|rspackChunk/ }
