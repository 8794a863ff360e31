import type { Tool } from './tool.ts'

/** The patterns for webpack match the rest of Rspack's output. */
export const rspack: Tool = { name: 'Rspack', marks: /__rspack|rspackChunk/ }
