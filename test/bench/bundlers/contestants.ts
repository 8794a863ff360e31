import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../../..')

/** A Vite config with one plugin that uploads source maps, or none. */
export interface Contestant {
  name: string
  /** Address of the plugin's module; none for a bare build. */
  module?: string
  /** Expression for the plugin, in which its module is `plugin`. */
  plugin: string
  /** It changes the scripts before it sends them, so they cannot be compared byte by byte. */
  rewritesScripts?: true
  uploads: boolean
}

/** As long as real ones: our plugin looks for it in every byte of the output. */
const KEY = '3f9a1c5b7e2d4f6081a3c5e7092b4d6f'
const PREFIX = 'https://cdn.example.com/app'
/** Pinned, so that two runs of the benchmark compare the same programs. */
const PEERS = { '@datadog/vite-plugin': '3.3.0', '@sentry/vite-plugin': '11.9.0' }

export async function contestants(cache: string, sink: string): Promise<Contestant[]> {
  const peers = await installPeers(cache)
  const ours: Contestant = {
    name: 'symup',
    module: buildOurs(),
    plugin: `plugin.default(${JSON.stringify({ apiKey: KEY, endpoint: sink, service: 'bench', version: '1.0.0', minifiedPathPrefix: PREFIX, ignoreConfigFile: true })})`,
    uploads: true,
  }
  const bare: Contestant = { name: 'bare', plugin: 'undefined', uploads: false }
  if (peers === undefined) return [bare, ours]
  const peer = createRequire(join(peers, 'package.json'))
  const sourcemaps = { bailOnError: true, service: 'bench', releaseVersion: '1.0.0', minifiedPathPrefix: PREFIX }
  const datadog: Contestant = {
    name: 'datadog',
    module: url(peer.resolve('@datadog/vite-plugin')),
    plugin: `plugin.datadogVitePlugin(${JSON.stringify({ auth: { apiKey: KEY }, logLevel: 'error', errorTracking: { enable: true, sourcemaps } })})`,
    uploads: true,
  }
  const sentryOptions = { authToken: KEY, org: 'o', project: 'p', url: sink, telemetry: false, silent: false }
  const sentry: Contestant = {
    name: 'sentry',
    module: url(peer.resolve('@sentry/vite-plugin')),
    plugin: `plugin.default.sentryVitePlugin(${JSON.stringify({ ...sentryOptions, release: { name: '1.0.0', create: false, finalize: false, setCommits: false, inject: false } })})`,
    rewritesScripts: true,
    uploads: true,
  }
  return [bare, ours, datadog, sentry]
}

const url = (path: string) => pathToFileURL(path).href

/** The package as it is published, nothing loaded from source. */
function buildOurs(): string {
  for (const name of ['core', 'unplugin']) {
    execFileSync('npm', ['run', 'build'], { cwd: join(ROOT, 'packages', name), stdio: 'ignore' })
  }
  return url(join(ROOT, 'packages/unplugin/dist/vite.js'))
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
