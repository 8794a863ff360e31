import { internalsOf } from '../internals.ts'

/** Every route of the intake that accepts POST requests, read from Fastify's route tree. */
export function postRoutesOf(intake: object): string[] {
  const beginnings: string[] = []
  const found: string[] = []
  for (const line of internalsOf(intake).app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', text = '', methods = ''] = /^(\W*?── )(\S+) \((.*)\)/.exec(line) ?? []
    const depth = indent.length / 4
    beginnings.splice(depth - 1, Number.POSITIVE_INFINITY, text)
    if (methods.includes('POST')) found.push(beginnings.join('').replace(/:\w+/g, 'x'))
  }
  return found
}
