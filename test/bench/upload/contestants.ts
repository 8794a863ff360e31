import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { build } from 'esbuild'
import { installed } from '../peers.ts'

const require = createRequire(import.meta.url)
const root = resolve(import.meta.dirname, '../../..')

/** A program that uploads a directory of files and maps. */
export interface Contestant {
  name: string
  /** @throws Failed if it cannot run. */
  command(directory: string, sink: string): string[] | Promise<string[]>
  env?(sink: string): Record<string, string>
}

const PREFIX = 'https://cdn.example.com/assets'
/** Pinned, so that two runs of the benchmark compare the same programs. */
const SENTRY = { '@sentry/cli': '3.8.0' }

/** The command as published. */
export const COMMAND = join(root, 'packages/cli/dist/main.js')
const DATADOG = join(dirname(require.resolve('@datadog/datadog-ci/package.json')), 'dist/bundle.js')

/**
 * The command with its defaults; the command without features that no peer has (querying git, then also checking the
 * maps); the floor; the peers.
 */
export function contestants(cache: string): Contestant[] {
  return [
    symup('symup'),
    symup('symup, no git', ['--disable-git']),
    symup('symup, no proof', ['--no-proof', '--disable-git']),
    { name: 'floor, gzip 6', command: async (...to) => [process.execPath, await bundledFloor(cache), ...to, '6'] },
    datadog(),
    sentry(cache),
  ]
}

/** Commands that print the version and end, to measure the start. */
export const STARTERS: readonly { name: string; command: readonly string[] }[] = [
  { name: 'node', command: [process.execPath, '-e', '0'] },
  { name: 'symup', command: [process.execPath, COMMAND, '--version'] },
  { name: 'datadog-ci', command: [process.execPath, DATADOG, 'version'] },
]

function symup(name: string, flags: string[] = []): Contestant {
  return {
    name,
    command: (directory, sink) => [process.execPath, ...uploadCommand(directory, sink), ...flags],
    env: () => ({ SYMUP_API_KEY: 'bench' }),
  }
}

/** The arguments for Node that a user would type. The key is in `SYMUP_API_KEY`. */
export function uploadCommand(directory: string, endpoint: string): string[] {
  return [
    COMMAND,
    ...['web', 'upload', directory, '--service', 'bench', '--release-version', '1.0.0', '--quiet'],
    ...['--minified-path-prefix', PREFIX, '--endpoint', endpoint, '--no-config-file'],
  ]
}

/** The arguments for Node that run the intake. */
export const INTAKE_COMMAND = [COMMAND, 'intake']

function datadog(): Contestant {
  return {
    name: 'datadog-ci',
    command: (directory) => [
      process.execPath,
      DATADOG,
      ...['sourcemaps', 'upload', directory, '--service', 'bench', '--release-version', '1.0.0'],
      ...['--minified-path-prefix', PREFIX, '--disable-git', '--quiet'],
    ],
    env: (sink) => ({ DATADOG_API_KEY: 'bench', DATADOG_SOURCEMAP_INTAKE_URL: sink, DD_CI_SKIP_VERSION_BANNER: '1' }),
  }
}

function sentry(cache: string): Contestant {
  return {
    name: 'sentry-cli',
    command: async (directory, sink) => [
      (await installed(cache, SENTRY)).resolve('@sentry/cli-linux-x64/bin/sentry-cli'),
      ...['--url', sink, 'sourcemaps', 'upload', '--org', 'o', '--project', 'p', '--release', '1.0.0'],
      ...['--no-sourcemap-reference', '--no-rewrite', '--url-prefix', PREFIX, directory],
    ],
    env: () => ({ SENTRY_AUTH_TOKEN: 'bench', SENTRY_LOG_LEVEL: 'error' }),
  }
}

async function bundledFloor(cache: string): Promise<string> {
  const outfile = join(cache, 'floor.mjs')
  const entryPoints = [join(import.meta.dirname, 'floor.ts')]
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' })
  return outfile
}
