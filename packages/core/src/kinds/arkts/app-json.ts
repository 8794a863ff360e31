import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readJsonFile } from '../../files/read-json.ts'
import { shownPath } from '../../files/shown-path.ts'
import { t } from '../../text.ts'
import type { InferredRelease } from '../kind.ts'

const LEVELS = 4

/**
 * Reads the service and the version from the nearest `AppScope/app.json5` in or above a path. The product in `build-profile.json5` takes
 * precedence. Returns an empty object if the file is missing or unreadable.
 * @param cwd the base for relative paths.
 */
export async function releaseOfApp(place: string, cwd: string, product = 'default'): Promise<InferredRelease> {
  const root = rootOf(place)
  if (root === undefined) return {}
  const files = [join(root, 'build-profile.json5'), join(root, 'AppScope/app.json5')]
  const [profile, scope] = (await Promise.all(files.map(readJsonFile))).map(object) as [Json, Json]
  const products = object(profile.app).products
  const own = object(Array.isArray(products) ? products.find((it) => object(it).name === product) : undefined)
  const app = object(scope.app)
  const found = (field: string) => {
    const sources = [own[field], app[field]]
    const index = sources.findIndex((value) => typeof value === 'string' && value !== '')
    return index === -1
      ? undefined
      : { value: String(sources[index]), from: t`${field} in ${shownPath(files[index] as string, cwd)}` }
  }
  const service = found('bundleName')
  const version = found('versionName')
  return { ...(service && { service }), ...(version && { version }) }
}

type Json = Record<string, unknown>

function rootOf(place: string): string | undefined {
  for (let level = 0, at = place; level < LEVELS; level++, at = dirname(at))
    if (existsSync(join(at, 'AppScope/app.json5'))) return at
  return undefined
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}
