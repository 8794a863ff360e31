import type { Tool } from './tool.ts'

/** Rolldown uses the helpers of esbuild. */
export const rolldown: Tool = { name: 'Rolldown', virtual: /rolldown\/runtime/ }
