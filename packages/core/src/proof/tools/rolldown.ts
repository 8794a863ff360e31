import type { Tool } from './tool.ts'

/** Rolldown uses esbuild's helpers. */
export const rolldown: Tool = { name: 'Rolldown', virtual: /rolldown\/runtime/ }
