import { t } from '@symup/core/text'
import { uploadingGuessed } from './after-build.ts'
import { valueAt } from './edit-json.ts'
import type { Project } from './project.ts'
import type { Setup } from './tool.ts'

/** Minimum versions. Source: the peer dependencies of `@symup/unplugin`. */
export const LEAST: Readonly<Record<string, string>> = {
  '@rsbuild/core': '2',
  '@rspack/core': '1',
  esbuild: '0.20',
  rolldown: '1',
  rollup: '4',
  vite: '5',
  webpack: '5.76',
}

/**
 * Returns a setup that uploads with a command if the bundler is too old for the plugin. npm refuses to install the plugin in such projects.
 */
export function olderThanPlugin(
  project: Project,
  bundler: string,
  name: string,
  framework?: string,
): Setup | undefined {
  const least = LEAST[bundler] ?? ''
  const version = tooOld(project, bundler, least, framework)
  if (version === undefined) return undefined
  const needs = t`The plugin requires ${name} ${least} or later, but the project uses ${version}. Instead of using the plugin, run the upload command after the build.`
  return uploadingGuessed(project, needs)
}

/**
 * Checks the bundler's version. A framework's own version range is more reliable than the installed version, which may belong to another
 * package.
 * @returns the version or range that is too old, or undefined.
 */
function tooOld({ read, dependencies }: Project, bundler: string, leastVersion: string, framework?: string) {
  const least = numbersIn(leastVersion)
  const manifest = framework && read(`node_modules/${framework}/package.json`)
  const brought = manifest && valueAt(manifest, ['dependencies', bundler])
  const installed = /"version":\s*"(\d[^"]*)"/.exec(read(`node_modules/${bundler}/package.json`) ?? '')?.[1]
  if (!brought && installed !== undefined) return isBelow(least, numbersIn(installed)) ? installed : undefined
  const range = /^[\^~]?\d[\w.-]*$/.exec(String(brought || dependencies.get(bundler)))?.[0]
  if (range === undefined) return undefined
  const [major = 0, minor = Number.POSITIVE_INFINITY] = numbersIn(range)
  // Caret ranges allow higher minor versions, unless the major version is 0.
  const highest = range.startsWith('^') && major > 0 ? Number.POSITIVE_INFINITY : minor
  return isBelow(least, [major, highest]) ? range : undefined
}

function isBelow([major = 0, minor = 0]: readonly number[], [own = 0, ownMinor = 0]: readonly number[]): boolean {
  return own < major || (own === major && ownMinor < minor)
}

const numbersIn = (version = '') => version.match(/\d+/g)?.map(Number) ?? []
