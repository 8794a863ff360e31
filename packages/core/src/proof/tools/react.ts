import type { Tool } from './tool.ts'

/** Matches React components and the JSX runtime calls that they are compiled to. */
export const react: Tool = {
  name: 'React',
  calls: /create\w*|jsx\w*/,
  markup: /\bcreateElement\(|\b_?jsx(?:s|DEV)?\)?\(/,
  markedUp: /\.[jt]sx(?:$|\?)/,
}
