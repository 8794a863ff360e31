import type { Tool } from './tool.ts'

/** The start of an extension's background script. */
export const wxt: Tool = { name: 'WXT', marks: /crashed on startup!/ }
