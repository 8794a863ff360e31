import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isUsablePrefix, type Problem, problem, type Settings } from '@symup/core'
import { t } from '@symup/core/text'
import type { SymupOptions } from './options.ts'
import type { Target } from './output.ts'

/** The service and the prefix for server bundles. The defaults are the service of the browser bundles and the build's output directory. */
type Server = Exclude<NonNullable<SymupOptions['server']>, boolean>

/** Returns the options for server bundles, or undefined if server bundles are not uploaded. */
export function serverOf({ server, serverOutputs }: SymupOptions): Server | undefined {
  const given = server ?? serverOutputs ?? false
  if (given === false) return undefined
  return given === true ? {} : given
}

interface Place {
  /** @default the service of the browser bundles */
  service?: string
  minifiedPathPrefix: string
}

/** Matches the directory that contains the repository on the build machines of Vercel and Netlify. */
const CHECKOUT = /^(?:\/vercel\/path\d+|\/opt\/build\/repo)(?=\/|$)/
const FUNCTION = /^.*\/\.vercel\/output\/functions\/.*\.func(?=\/|$)/
/** The directory where Vercel and Netlify run functions. */
const FUNCTIONS = '/var/task'
const LOCKFILES = ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb']

/**
 * Returns the directory in which a build's output runs. If this directory is unknown, returns the given directory. Vercel and Netlify
 * deploy functions together with their packages, so the path is relative to the directory that contains the lockfile.
 */
function placeOf(directory: string, exists: (path: string) => boolean): string {
  if (FUNCTION.test(directory)) return directory.replace(FUNCTION, FUNCTIONS)
  const [checkout] = CHECKOUT.exec(directory) ?? []
  if (checkout === undefined) return directory
  let root = directory
  while (root !== checkout && !LOCKFILES.some((name) => exists(`${root}/${name}`))) root = dirname(root)
  return `${FUNCTIONS}${directory.slice(root.length)}`
}

/**
 * Returns the service and prefix of server bundles. Node's stacks contain file paths, so the prefix is a directory: `/app/dist` or
 * `file:///app/dist`.
 * @param exists replaces the file system in tests.
 */
export function placeOfServer(options: SymupOptions, directory: string, exists = existsSync): Place {
  const { service, minifiedPathPrefix } = serverOf(options) ?? {}
  return {
    ...(service !== undefined && { service }),
    minifiedPathPrefix: minifiedPathPrefix ?? pathToFileURL(placeOf(directory, exists)).pathname,
  }
}

/** Returns a line with the server's settings, or undefined if they match the settings that were already printed. */
export function besideSettings({ service, minifiedPathPrefix }: Place, settings: Settings): string | undefined {
  const { service: usual, minifiedPathPrefix: prefix } = settings
  if ((service ?? usual.value) === usual.value && minifiedPathPrefix === prefix?.value) return undefined
  return t`Settings for server code: service = ${service ?? usual.value}, minifiedPathPrefix = ${minifiedPathPrefix}`
}

/**
 * Returns the options for uploading a build. If the build is for Node and `server` is set, the service and prefix come from `server`.
 * @param directory the build's output directory.
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
  if (service === '') problems.push(problem('value-invalid', t`The server.service option is empty.`))
  if (typeof prefix === 'string' && !isUsablePrefix(prefix)) {
    const message = t`The minified path prefix "${prefix}" in the server.minifiedPathPrefix option is invalid.`
    problems.push(
      problem('prefix-invalid', message, {
        fix: t`Use the absolute path of the directory on the server, such as /app/dist/server.`,
      }),
    )
  }
  return problems
}
