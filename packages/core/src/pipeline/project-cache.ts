import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Line } from '../model/line.ts'
import { ledgerPath } from '../send/ledger.ts'
import { describeSetting, type Settings, settingsShown, shownValue } from '../settings/settings.ts'
import { t, translated } from '../text.ts'

/**
 * Returns the path of the ledger, or undefined if the run has none.
 * @param wanted the path of a file, true for a ledger in the cache directory, or false for no ledger. Default: true if `resume` is set, or
 * if the project has a cache.
 */
export function ledgerFile(
  { cacheDirectory }: Settings,
  { project, wanted, resume }: { project: string; wanted: string | boolean | undefined; resume: boolean },
): string | undefined {
  if (typeof wanted === 'string') return resolve(project, wanted)
  const { from, value } = cacheDirectory
  const hasCache = from.kind !== 'default' || existsSync(join(project, 'node_modules'))
  return (wanted ?? (resume || hasCache)) ? ledgerPath(value) : undefined
}

/** Describes each setting in one line. The brief form contains only settings that were inferred or set in several places. */
export function settingsLines(settings: Settings, isBrief: boolean): Line[] {
  const all = settingsShown(settings)
  if (!isBrief) return all.map(([name, setting]) => ({ severity: 'info', text: describeSetting(name, setting) }))
  const shown = all.filter(([, { from, overrode }]) => from.kind === 'inferred' || overrode.length > 0)
  const texts = shown.map(([name, setting]) => {
    const line = `${name} = ${shownValue(name, setting)} ← ${translated(setting.from.name)}`
    const others = setting.overrode.map((place) => place.name).join(', ')
    return others === '' ? line : t`${line} (also set by ${others})`
  })
  return texts.length === 0 ? [] : [{ severity: 'info', text: t`Settings: ${texts.join(t`; `)}` }]
}
