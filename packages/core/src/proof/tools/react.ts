import type { Tool } from './tool.ts'

/** Matches JSX and the calls to its runtimes. */
export const react: Tool = {
  name: 'React',
  calls: /create\w*|jsx\w*/,
  markup: /\bcreateElement\(|\b_?jsx(?:s|DEV)?\)?\(/,
  markedUp: /\.[jt]sx(?:$|\?)/,
}
