import { existsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { makeDirectory } from '../files/make-directory.ts'
import { readRegular } from '../files/open-regular.ts'
import type { Line } from '../model/line.ts'
import { ledgerPath } from '../send/ledger.ts'
import { describeSetting, type Settings, settingsShown, shownValue } from '../settings/settings.ts'
import { t, translated } from '../text.ts'

function hasCache({ from }: Settings['cacheDirectory'], project: string): boolean {
  return from.kind !== 'default' || existsSync(join(project, 'node_modules'))
}

/**
 * Returns the path of the ledger, or undefined if the run has none.
 * @param wanted a file, true for a ledger in the cache directory, or false for none. Default: true to resume, or if the project has a
 * cache.
 */
export function ledgerFile(
  { cacheDirectory }: Settings,
  { project, wanted, resume }: { project: string; wanted: string | boolean | undefined; resume: boolean },
): string | undefined {
  if (typeof wanted === 'string') return resolve(project, wanted)
  return (wanted ?? (resume || hasCache(cacheDirectory, project))) ? ledgerPath(cacheDirectory.value) : undefined
}

/**
 * Describes the settings in one line each, with changes since the last run, or in brief. Stores the values for the next run.
 * @param remembers false for a dry run, which changes nothing.
 */
export async function settingsLines(
  settings: Settings,
  { project, isBrief, remembers }: { project: string; isBrief: boolean; remembers: boolean },
): Promise<Line[]> {
  const { cacheDirectory } = settings
  const keeps = hasCache(cacheDirectory, project)
  const lines = isBrief
    ? briefSettings(settings)
    : wholeSettings(settings, keeps ? lastSettings(cacheDirectory.value, project) : undefined)
  if (remembers && keeps) await rememberSettings(cacheDirectory.value, project, settings)
  return lines
}

/** The settings of a run by name, as display text without secrets. */
type ShownValues = Readonly<Record<string, string>>

export function briefSettings(settings: Settings): Line[] {
  const shown = settingsShown(settings).filter(
    ([, { from, overrode }]) => from.kind === 'inferred' || overrode.length > 0,
  )
  const texts = shown.map(([name, setting]) => {
    const line = `${name} = ${shownValue(name, setting)} ← ${translated(setting.from.name)}`
    const others = setting.overrode.map((place) => place.name).join(', ')
    return others === '' ? line : t`${line} (also set by ${others})`
  })
  return texts.length === 0 ? [] : [{ severity: 'info', text: t`Settings: ${texts.join(t`; `)}` }]
}

/**
 * Describes each setting in one line, with changes since the last run.
 * @param last the values from the last run, or undefined if they are unknown.
 */
export function wholeSettings(settings: Settings, last: ShownValues | undefined): Line[] {
  return settingsShown(settings).map(([name, setting]) => {
    const before = name === 'apiKey' ? undefined : last?.[name]
    const isChanged = before !== undefined && before !== shownValue(name, setting)
    const line = describeSetting(name, setting)
    return { severity: 'info', text: isChanged ? t`${line} (was ${before} in the last run)` : line }
  })
}

const LAST_RUN = 'last-settings.json'
/** The maximum number of projects in a user's cache. When the cache is full, the oldest project is removed. */
const MAX_PROJECTS = 50
const PRIVATE = 0o600

/** Returns the values from the project's last run, or undefined if there is no valid record. */
export function lastSettings(cacheDirectory: string, project: string): ShownValues | undefined {
  const values = read(join(cacheDirectory, LAST_RUN))[project]
  if (values === null || typeof values !== 'object') return undefined
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === 'string'))
}

/** Stores the values for the next run. A failed write is ignored, because nothing depends on the file. */
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
