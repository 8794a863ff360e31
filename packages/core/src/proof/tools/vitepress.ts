import type { Tool } from './tool.ts'

export const vitePress: Tool = { name: 'VitePress', prose: /\.(?:md|mdx|markdown)$/i }
