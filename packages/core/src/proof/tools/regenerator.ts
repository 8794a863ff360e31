import type { Tool } from './tool.ts'

/** Matches the runtime for generators and async functions in older browsers. */
export const regenerator: Tool = {
  name: 'regenerator',
  marks: /regeneratorRuntime|Generator is already (?:executing|running)|dispatchException|try statement without/,
  texts: /try statement without/,
  errors: /Generator is already/,
  calls: /wrap|mark|stop|abrupt|sent/,
}
