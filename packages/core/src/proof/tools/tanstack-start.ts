import type { Tool } from './tool.ts'

export const tanStackStart: Tool = { name: 'TanStack Start', marks: /Server function (?:info|module) / }
