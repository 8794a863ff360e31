import type { Tool } from './tool.ts'

/** Matches the start of an extension's background script. */
export const wxt: Tool = { name: 'WXT', marks: /crashed on startup!/ }
