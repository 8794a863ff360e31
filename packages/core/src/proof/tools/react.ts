import type { Tool } from './tool.ts'

/** JSX and its runtimes. */
export const react: Tool = {
  name: 'React',
  calls: /create\w*|jsx\w*/,
  markup: /\bcreateElement\(|\b_?jsx(?:s|DEV)?\)?\(/,
  markedUp: /\.[jt]sx(?:$|\?)/,
}
