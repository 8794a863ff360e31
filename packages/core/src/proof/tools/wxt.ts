import type { Tool } from './tool.ts'

export const wxt: Tool = { name: 'WXT', marks: /crashed on startup!/ }
