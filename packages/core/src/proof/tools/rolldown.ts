import type { Tool } from './tool.ts'

/** Its helpers are those of esbuild. */
export const rolldown: Tool = { name: 'Rolldown', virtual: /rolldown\/runtime/ }
