import type { Tool } from './tool.ts'

export const svelte: Tool = { name: 'Svelte', component: /\.svelte(?:$|\?)/, markedUp: /\.svelte(?:$|\?)/ }
