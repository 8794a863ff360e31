import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'

const run = promisify(execFile)
const require = createRequire(import.meta.url)

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

/** symup at its default, at the peers' gzip level and at the cheapest; then the peers that can be had. */
export async function contestants(cache: string): Promise<Contestant[]> {
  const ours = await bundleCommand(cache)
  const peers = await installPeers(cache)
  return [
    symup('symup', ours),
    symup('symup -6', ours, '6'),
    symup('symup -1', ours, '1'),
    datadog(),
    ...(peers === undefined ? [] : [sentry(peers), bugsnag(peers)]),
  ]
}

function symup(name: string, entry: string, compression?: string): Contestant {
  return {
    name,
    command: (directory, sink) => [
      process.execPath,
      entry,
      directory,
      sink,
      PREFIX,
      ...(compression ? [compression] : []),
    ],
  }
}

function datadog(): Contestant {
  const manifest = require.resolve('@datadog/datadog-ci/package.json')
  return {
    name: 'datadog-ci',
    command: (directory) => [
      process.execPath,
      join(dirname(manifest), 'dist/bundle.js'),
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

/** The upload as the command makes it, bundled as it is published, so that loading from source is not measured. */
async function bundleCommand(cache: string): Promise<string> {
  const outfile = join(cache, 'symup/upload.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, 'ours.ts')],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    conditions: ['symup-source'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  })
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
