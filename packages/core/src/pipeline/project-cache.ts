import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Line } from '../model/line.ts'
import { ledgerPath } from '../send/ledger.ts'
import type { Settings } from '../settings/settings.ts'
import { briefSettings, lastSettings, rememberSettings, wholeSettings } from './brief-settings.ts'

/** Whether the project has its own or a configured cache directory. */
function hasCache({ from }: Settings['cacheDirectory'], project: string): boolean {
  return from.kind !== 'default' || existsSync(join(project, 'node_modules'))
}

/**
 * The ledger's path; undefined for none.
 * @param wanted a file, true for one in the cache directory, or false for none. Default: true to resume, or if the
 *   project has a cache.
 */
export function ledgerFile(
  { cacheDirectory }: Settings,
  { project, wanted, resume }: { project: string; wanted: string | boolean | undefined; resume: boolean },
): string | undefined {
  if (typeof wanted === 'string') return resolve(project, wanted)
  return (wanted ?? (resume || hasCache(cacheDirectory, project))) ? ledgerPath(cacheDirectory.value) : undefined
}

/**
 * The settings as text: one line each with changes since the last run, or in brief. Stores the values for the next run.
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
