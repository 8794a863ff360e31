import type { Tool } from './tool.ts'

export const turbopack: Tool = {
  name: 'Turbopack',
  marks: /__turbopack|TURBOPACK/,
  // In Turbopack's lists of exports, such as `e.s(["total",0,t])`, a name is not mapped to its declaration in the source.
  exportedName: /^[\w$]+["'],0,/,
  virtual: /^turbopack:\/\/\/\[turbopack\]\//,
}
