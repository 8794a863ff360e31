import type { Tool } from './tool.ts'

/** Its compiler turns templates into calls with names of its own. */
export const angular: Tool = { name: 'Angular', template: /\.html$/ }
