import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

const require = createRequire(import.meta.url)
const root = resolve(import.meta.dirname, '../../..')

/** A program that uploads a directory of files and maps. */
export interface Contestant {
  name: string
  command(directory: string, sink: string): string[]
  env?(sink: string): Record<string, string>
}

const PREFIX = 'https://cdn.example.com/assets'

/** The command as published. */
export const COMMAND = join(root, 'packages/cli/dist/main.js')
const DATADOG = join(dirname(require.resolve('@datadog/datadog-ci/package.json')), 'dist/bundle.js')

/** The command with its defaults, the command without the checks and git, which datadog-ci does not have, and datadog-ci. */
export const CONTESTANTS: readonly Contestant[] = [
  symup('symup'),
  symup('symup, no proof', ['--no-proof', '--disable-git']),
  datadog(),
]

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
