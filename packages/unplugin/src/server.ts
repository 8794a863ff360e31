import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isUsablePrefix, type Problem, problem, type Settings } from '@symup/core'
import { t } from '@symup/core/text'
import type { SymupOptions } from './options.ts'
import type { Target } from './output.ts'

/** Whose stacks a server's bundles belong to; what is left out is the browsers' service, and the directory of the build. */
type Server = Exclude<NonNullable<SymupOptions['server']>, boolean>

/** What the option says of bundles that run on a server; undefined where they are left alone. */
export function serverOf({ server, serverOutputs }: SymupOptions): Server | undefined {
  const given = server ?? serverOutputs ?? false
  if (given === false) return undefined
  return given === true ? {} : given
}

/** What a server's bundles are uploaded by. */
interface Place {
  /** Default: the browsers'. */
  service?: string
  minifiedPathPrefix: string
}

/** Where Vercel and Netlify check a repository out to build it. */
const CHECKOUT = /^(?:\/vercel\/path\d+|\/opt\/build\/repo)(?=\/|$)/
/** A function's directory, as Vercel takes it. */
const FUNCTION = /^.*\/\.vercel\/output\/functions\/.*\.func(?=\/|$)/
/** Where both run functions. */
const FUNCTIONS = '/var/task'
const LOCKFILES = ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb']

/**
 * Where what a build writes to a directory runs, as far as the build tells: Vercel and Netlify take the code of a function along with its packages, so that the
 * directory of the lockfile is theirs.
 */
function placeOf(directory: string, exists: (path: string) => boolean): string {
  if (FUNCTION.test(directory)) return directory.replace(FUNCTION, FUNCTIONS)
  const [checkout] = CHECKOUT.exec(directory) ?? []
  if (checkout === undefined) return directory
  let root = directory
  while (root !== checkout && !LOCKFILES.some((name) => exists(`${root}/${name}`))) root = dirname(root)
  return `${FUNCTIONS}${directory.slice(root.length)}`
}

/** Service and prefix of a server's bundles. Node names the files of a stack by their paths, so where they run is a directory: `/app/dist`, or `file:///app/dist`. `exists` is for tests. */
export function placeOfServer(options: SymupOptions, directory: string, exists = existsSync): Place {
  const { service, minifiedPathPrefix } = serverOf(options) ?? {}
  return {
    ...(service !== undefined && { service }),
    minifiedPathPrefix: minifiedPathPrefix ?? pathToFileURL(placeOf(directory, exists)).pathname,
  }
}

/** A line beside the settings; undefined where they say the same, as those of a build for a server alone do. */
export function besideSettings({ service, minifiedPathPrefix }: Place, settings: Settings): string | undefined {
  const { service: usual, minifiedPathPrefix: prefix } = settings
  if ((service ?? usual.value) === usual.value && minifiedPathPrefix === prefix?.value) return undefined
  return t`On the server: service = ${service ?? usual.value}, minifiedPathPrefix = ${minifiedPathPrefix}`
}

/**
 * What a build for Node, or for browsers, is uploaded by: where it is for Node and `server` is set, service and prefix are those of `server`.
 * @param directory that it writes to.
 */
export function placed(
  options: SymupOptions,
  { isForNode, directory }: { isForNode: boolean; directory: string },
): { options: SymupOptions; target: Target } {
  if (!isForNode || serverOf(options) === undefined) return { options, target: 'browser' }
  return { options: { ...options, ...placeOfServer(options, directory) }, target: 'server' }
}

export function serverProblems(options: SymupOptions): Problem[] {
  const { service, minifiedPathPrefix: prefix } = serverOf(options) ?? {}
  const problems: Problem[] = []
  if (service === '') problems.push(problem('value-invalid', t`The option "server.service" is empty.`))
  if (typeof prefix === 'string' && !isUsablePrefix(prefix)) {
    const message = t`The minified path prefix "${prefix}" (option server.minifiedPathPrefix) cannot be used.`
    problems.push(
      problem('prefix-invalid', message, {
        fix: t`Use the absolute path of the directory on the server, such as /app/dist/server.`,
      }),
    )
  }
  return problems
}
