import type { Tool } from './tool.ts'

/** Wrappers of modules for loaders: SystemJS and AMD. */
export const systemJs: Tool = { name: 'SystemJS', marks: /System\.register|define\.amd/ }
