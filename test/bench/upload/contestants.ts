import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'

const run = promisify(execFile)
const require = createRequire(import.meta.url)
const root = resolve(import.meta.dirname, '../../..')

/** A program that uploads a directory of files and maps. */
export interface Contestant {
  name: string
  command(directory: string, sink: string): string[]
  env?(sink: string): Record<string, string>
  /** It changes maps before it sends them, so only the minified files can be compared byte by byte. */
  rewritesMaps?: true
}

const PREFIX = 'https://cdn.example.com/assets'
/** Pinned, so that two runs of the benchmark compare the same programs. */
const PEERS = { '@sentry/cli': '3.8.0', '@bugsnag/source-maps': '2.3.3' }

/** What no peer does is left out where they are compared: proving the maps, and asking git. */
const LIKE_PEERS = ['--no-proof', '--disable-git']

/**
 * symup as its peers upload, and with the proof that it makes unless told not to; at the peers' gzip level, with a ledger, and with an intake that announces more; the floor; the peers.
 * @param against another checkout of this project with its dependencies, which is built and measured too.
 */
export async function contestants(cache: string, against: string | undefined): Promise<Contestant[]> {
  await buildPackages(root)
  if (against !== undefined) await buildPackages(against)
  const floor = await bundleFloor(cache)
  const peers = await installPeers(cache)
  const ledger = () => ['--ledger', join(mkdtempSync(join(tmpdir(), 'symup-bench-')), 'ledger.jsonl')]
  return [
    symup('symup', () => LIKE_PEERS),
    ...(against === undefined ? [] : [symup('symup other', () => LIKE_PEERS, '', against)]),
    symup('symup, proof'),
    symup('symup -6', () => [...LIKE_PEERS, '--compression', '6']),
    symup('symup ledger', () => [...LIKE_PEERS, ...ledger()]),
    symup('symup announced', () => LIKE_PEERS, '/announcing'),
    { name: 'floor -6', command: (directory, sink) => [process.execPath, floor, directory, sink] },
    datadog(),
    ...(peers === undefined ? [] : [sentry(peers), bugsnag(peers)]),
  ]
}

/** Prints the version and ends: what is measured is the start. */
export function starters(): Contestant[] {
  return [
    { name: 'node', command: () => [process.execPath, '-e', '0'] },
    { name: 'symup', command: () => [process.execPath, command(root), '--version'] },
    { name: 'datadog-ci', command: () => [process.execPath, DATADOG, 'version'] },
  ]
}

/** The command as it is published. */
const command = (checkout: string) => join(checkout, 'packages/cli/dist/main.js')
const DATADOG = join(dirname(require.resolve('@datadog/datadog-ci/package.json')), 'dist/bundle.js')

function symup(name: string, more: () => string[] = () => [], base = '', checkout = root): Contestant {
  return {
    name,
    command: (directory, sink) => [
      process.execPath,
      command(checkout),
      ...['web', 'upload', directory, '--service', 'bench', '--release-version', '1.0.0', '--quiet'],
      ...['--minified-path-prefix', PREFIX, '--endpoint', `${sink}${base}`, '--no-config-file', ...more()],
    ],
    env: () => ({ SYMUP_API_KEY: 'bench' }),
  }
}

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

function sentry(peers: string): Contestant {
  return {
    name: 'sentry-cli',
    command: (directory, sink) => [
      join(peers, 'node_modules/@sentry/cli-linux-x64/bin/sentry-cli'),
      ...['--url', sink, 'sourcemaps', 'upload', '--org', 'o', '--project', 'p', '--release', '1.0.0'],
      ...['--no-sourcemap-reference', '--no-rewrite', '--url-prefix', PREFIX, directory],
    ],
    env: () => ({ SENTRY_AUTH_TOKEN: 'bench', SENTRY_LOG_LEVEL: 'error' }),
  }
}

function bugsnag(peers: string): Contestant {
  return {
    name: 'bugsnag',
    rewritesMaps: true,
    command: (directory, sink) => [
      process.execPath,
      join(peers, 'node_modules/@bugsnag/source-maps/bin/cli'),
      ...[
        'upload-browser',
        '--api-key',
        'bench',
        '--app-version',
        '1.0.0',
        '--endpoint',
        sink,
        '--overwrite',
        '--quiet',
      ],
      ...['--directory', '.', '--project-root', directory, '--base-url', PREFIX],
    ],
  }
}

/** What the command is made of, each after what it needs. */
async function buildPackages(checkout: string): Promise<void> {
  console.error(`Building the packages of ${checkout} …`)
  const manifest = JSON.parse(await readFile(join(checkout, 'packages/cli/package.json'), 'utf8'))
  const needed = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
    .filter((name) => name.startsWith('@symup/'))
    .map((name) => name.slice('@symup/'.length))
  // The intake's inspector is built with the Vite plugin.
  for (const name of new Set(['core', 'symbolicate', 'unplugin', ...needed, 'cli'])) {
    const directory = join(checkout, 'packages', name)
    await run('npm', ['run', 'build'], { cwd: directory })
  }
}

async function bundleFloor(cache: string): Promise<string> {
  const outfile = join(cache, 'floor.mjs')
  const entryPoints = [join(import.meta.dirname, 'floor.ts')]
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' })
  return outfile
}

/** Installs the pinned peers beside the workloads, outside the project's lock file; undefined when there is no registry. */
async function installPeers(cache: string): Promise<string | undefined> {
  const directory = join(cache, 'peers')
  const manifest = JSON.stringify({ private: true, dependencies: PEERS })
  const file = join(directory, 'package.json')
  if (existsSync(join(directory, 'node_modules')) && (await readFile(file, 'utf8')) === manifest) return directory
  await mkdir(directory, { recursive: true })
  await writeFile(file, manifest)
  try {
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: directory })
    return directory
  } catch {
    console.error('sentry-cli and bugsnag could not be installed: they are left out.')
    return undefined
  }
}
