import type { Tool } from './tool.ts'

/** Angular's compiler turns templates into calls with generated names. */
export const angular: Tool = { name: 'Angular', template: /\.html$/ }
