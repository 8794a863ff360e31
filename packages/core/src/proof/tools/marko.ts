import type { Tool } from './tool.ts'

export const marko: Tool = { name: 'Marko', component: /\.marko(?:$|\?)/ }
