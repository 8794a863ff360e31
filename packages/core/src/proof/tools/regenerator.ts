import type { Tool } from './tool.ts'

/** The runtime of generators and of async functions for older browsers. */
export const regenerator: Tool = {
  name: 'regenerator',
  marks: /Generator is already (?:executing|running)|dispatchException|try statement without/,
  calls: /wrap|mark|stop|abrupt|sent/,
}
