import type { Tool } from './tool.ts'

/** Module wrappers for the loaders SystemJS and AMD. */
export const systemJs: Tool = { name: 'SystemJS', marks: /System\.register|define\.amd/ }
