import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeDirectory } from '../files/make-directory.ts'
import { readRegular } from '../files/open-regular.ts'
import type { Line } from '../model/line.ts'
import { type Setting, type Settings, settingsShown, shownValue } from '../settings/settings.ts'
import { t, translated } from '../text.ts'

/** The values of a run as people read them, without secrets, by their names. */
export type ShownValues = Readonly<Record<string, string>>

/**
 * The settings in one line, grouped by where they come from; a line each for those that more than one place sets, and for those that had
 * another value in the last run.
 * @param last values of the last run; undefined where none is known.
 */
export function briefSettings(settings: Settings, last: ShownValues | undefined): Line[] {
  const shown = settingsShown(settings)
  const places = new Map<string, string[]>()
  for (const [name, setting] of shown) {
    const place = setting.from.kind === 'option' ? t`flags` : translated(setting.from.name)
    places.set(place, [...(places.get(place) ?? []), `${name} = ${shownValue(name, setting)}`])
  }
  const groups = [...places].map(([place, values]) => `${values.join(', ')} ← ${place}`)
  const doubtful = shown.flatMap(([name, setting]) => doubts(name, setting, last))
  return [t`Settings: ${groups.join(t`; `)}`, ...doubtful].map((text) => ({ severity: 'info', text }))
}

function doubts(name: string, setting: Setting<unknown>, last: ShownValues | undefined): string[] {
  const value = shownValue(name, setting)
  const before = name === 'apiKey' ? undefined : last?.[name]
  const changed = before === undefined || before === value ? [] : [t`it was ${before} in the last run`]
  const others = setting.overrode.map((place) => place.name)
  const over = others.length === 0 ? [] : [t`${others.join(t` and `)} ${others.length === 1 ? 'sets' : 'set'} it too`]
  const notes = [...over, ...changed]
  return notes.length === 0 ? [] : [t`  ${name} = ${value} ← ${translated(setting.from.name)} (${notes.join(t`; `)})`]
}

const LAST_RUN = 'last-settings.json'
/** More projects than share a user's cache; the oldest are forgotten. */
const MAX_PROJECTS = 50
const PRIVATE = 0o600

/** The values of the project's last run; undefined where there was none, or the file is no such record. */
export function lastSettings(cacheDirectory: string, project: string): ShownValues | undefined {
  const values = read(join(cacheDirectory, LAST_RUN))[project]
  if (values === null || typeof values !== 'object') return undefined
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === 'string'))
}

/** Keeps the values for the next run. Nothing depends on it, so that it cannot be written is not a problem. */
export async function rememberSettings(cacheDirectory: string, project: string, settings: Settings): Promise<void> {
  const file = join(cacheDirectory, LAST_RUN)
  const values = settingsShown(settings).filter(([name]) => name !== 'apiKey')
  const own: ShownValues = Object.fromEntries(values.map(([name, setting]) => [name, shownValue(name, setting)]))
  const { [project]: _, ...others } = read(file)
  const kept = Object.entries(others).slice(1 - MAX_PROJECTS)
  const temporary = `${file}.${process.pid}`
  try {
    makeDirectory(dirname(file))
    await writeFile(temporary, JSON.stringify(Object.fromEntries([...kept, [project, own]])), {
      flag: 'wx',
      mode: PRIVATE,
    })
    await rename(temporary, file)
  } catch {
    await rm(temporary, { force: true }).catch(() => undefined)
  }
}

function read(file: string): Readonly<Record<string, unknown>> {
  try {
    const document: unknown = JSON.parse(readRegular(file).toString('utf8'))
    return document !== null && typeof document === 'object' ? { ...document } : {}
  } catch {
    return {}
  }
}
