import type { Tool } from './tool.ts'

export const astro: Tool = { name: 'Astro', component: /\.astro(?:$|\?)/, markedUp: /\.astro(?:$|\?)/ }
