import type { Tool } from './tool.ts'

export const turbopack: Tool = {
  name: 'Turbopack',
  marks: /__turbopack|TURBOPACK/,
  // In Turbopack's list, `e.s(["total",0,t])`, a name is mapped to another position than in the source, where it is at the declaration.
  exportedName: /^[\w$]+["'],0,/,
  virtual: /^turbopack:\/\/\/\[turbopack\]\//,
}
