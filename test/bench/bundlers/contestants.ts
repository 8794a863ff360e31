import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Failed } from '../measure.ts'
import { installed } from '../peers.ts'
import type { BundlerName } from './builds.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** A build with one plugin that uploads source maps, or without a plugin. */
export interface Contestant {
  name: string
  /** Address of the plugin's module; absent for a bare build. */
  module?: string
  /** Expression that creates the plugin; `plugin` is its module. */
  plugin: string
  uploads: boolean
  /** Why the contestant cannot run. */
  missing?: string
}

/** Has the length of a real key, because our plugin searches every byte of the output for the key. */
const KEY = '3f9a1c5b7e2d4f6081a3c5e7092b4d6f'
const PREFIX = 'https://cdn.example.com/app'
const DATADOG = '3.3.0'

/** The plugins for one bundler with their defaults: ours with everything on, and Datadog's. */
export async function contestants(cache: string, bundler: BundlerName, sink: string): Promise<Contestant[]> {
  const options = { apiKey: KEY, endpoint: sink, service: 'bench', version: '1.0.0', minifiedPathPrefix: PREFIX }
  const ours: Contestant = {
    name: 'symup',
    module: pathToFileURL(join(ROOT, `packages/unplugin/dist/${bundler}.js`)).href,
    plugin: `plugin.default(${JSON.stringify({ ...options, ignoreConfigFile: true })})`,
    uploads: true,
  }
  return [{ name: 'bare', plugin: 'undefined', uploads: false }, ours, await datadog(cache, bundler)]
}

async function datadog(cache: string, bundler: BundlerName): Promise<Contestant> {
  const sourcemaps = { bailOnError: true, service: 'bench', releaseVersion: '1.0.0', minifiedPathPrefix: PREFIX }
  const options = { auth: { apiKey: KEY }, logLevel: 'error', errorTracking: { enable: true, sourcemaps } }
  const name = `datadog${bundler[0]?.toUpperCase()}${bundler.slice(1)}Plugin`
  const plugin = `plugin.${name}(${JSON.stringify(options)})`
  return peer('datadog', cache, { [`@datadog/${bundler}-plugin`]: DATADOG }, { plugin, uploads: true })
}

/** @param packages the plugin's package first. */
async function peer(
  name: string,
  cache: string,
  packages: Readonly<Record<string, string>>,
  rest: Omit<Contestant, 'name' | 'module'>,
): Promise<Contestant> {
  try {
    const require = await installed(cache, packages)
    const [plugin = ''] = Object.keys(packages)
    return { name, module: pathToFileURL(require.resolve(plugin)).href, ...rest }
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    return { name, ...rest, missing: error.message }
  }
}
