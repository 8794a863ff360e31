import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const require = createRequire(import.meta.url)
const ROOT = join(import.meta.dirname, '../../..')

/** A Vite config with one plugin that uploads source maps, or none. */
export interface Contestant {
  name: string
  /** Statements before the config. */
  imports: string
  /** Expression for the plugin. */
  plugin: string
  /** It changes the scripts before it sends them, so they cannot be compared byte by byte. */
  rewritesScripts?: true
  uploads: boolean
}

const PREFIX = 'https://cdn.example.com/app'
/** Pinned, so that two runs of the benchmark compare the same programs. */
const PEERS = { '@datadog/vite-plugin': '3.3.0', '@sentry/vite-plugin': '11.9.0' }

export async function contestants(cache: string, sink: string): Promise<Contestant[]> {
  const peers = await installPeers(cache)
  const ours: Contestant = {
    name: 'symup',
    imports: `import symup from ${url(buildOurs())}`,
    plugin: `symup(${JSON.stringify({ apiKey: 'bench', endpoint: sink, service: 'bench', version: '1.0.0', minifiedPathPrefix: PREFIX, ignoreConfigFile: true })})`,
    uploads: true,
  }
  const bare: Contestant = { name: 'bare', imports: '', plugin: 'undefined', uploads: false }
  if (peers === undefined) return [bare, ours]
  const peer = createRequire(join(peers, 'package.json'))
  const sourcemaps = { bailOnError: true, service: 'bench', releaseVersion: '1.0.0', minifiedPathPrefix: PREFIX }
  const datadog: Contestant = {
    name: 'datadog',
    imports: `import { datadogVitePlugin } from ${url(peer.resolve('@datadog/vite-plugin'))}`,
    plugin: `datadogVitePlugin(${JSON.stringify({ auth: { apiKey: 'bench' }, enableGit: false, logLevel: 'error', errorTracking: { enable: true, sourcemaps } })})`,
    uploads: true,
  }
  const sentryOptions = { authToken: 'bench', org: 'o', project: 'p', url: sink, telemetry: false, silent: false }
  const sentry: Contestant = {
    name: 'sentry',
    imports: `import sentry from ${url(peer.resolve('@sentry/vite-plugin'))}`,
    plugin: `sentry.sentryVitePlugin(${JSON.stringify({ ...sentryOptions, release: { name: '1.0.0', create: false, finalize: false, setCommits: false, inject: false } })})`,
    rewritesScripts: true,
    uploads: true,
  }
  return [bare, ours, datadog, sentry]
}

const url = (path: string) => JSON.stringify(pathToFileURL(path).href)

/** The package as it is published: compiled, nothing loaded from source. */
function buildOurs(): string {
  const tsc = join(require.resolve('typescript/package.json'), '../bin/tsc')
  for (const name of ['core', 'unplugin']) {
    execFileSync(process.execPath, [tsc, '-p', join(ROOT, 'packages', name, 'tsconfig.build.json')])
  }
  return join(ROOT, 'packages/unplugin/dist/vite.js')
}

/** Installs the pinned peers beside the app, outside the project's lock file; undefined when there is no registry. */
async function installPeers(cache: string): Promise<string | undefined> {
  const directory = join(cache, 'peers')
  const manifest = JSON.stringify({ private: true, dependencies: PEERS })
  const file = join(directory, 'package.json')
  if (existsSync(join(directory, 'node_modules')) && (await readFile(file, 'utf8')) === manifest) return directory
  await mkdir(directory, { recursive: true })
  await writeFile(file, manifest)
  try {
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps'], {
      cwd: directory,
    })
    return directory
  } catch (error) {
    console.error(`The peers could not be installed, they are left out: ${(error as Error).message}`)
    return undefined
  }
}
