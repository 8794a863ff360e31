import type { Tool } from './tool.ts'

export const farm: Tool = { name: 'Farm', marks: /__farm_|Module \$\{[\w$]+\} didn/ }
