import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Line } from '../model/line.ts'
import { ledgerPath } from '../send/ledger.ts'
import { describeSettings, type Settings } from '../settings/settings.ts'
import { briefSettings, lastSettings, rememberSettings } from './brief-settings.ts'

/** Whether there is a cache directory of the project's own, or one that somebody chose. */
function hasCache({ from }: Settings['cacheDirectory'], project: string): boolean {
  return from.kind !== 'default' || existsSync(join(project, 'node_modules'))
}

/**
 * The file that remembers what was sent; undefined for none.
 * @param wanted a file, true for one in the cache directory, false for none. Default: true where the project has a cache, and to resume.
 */
export function ledgerFile(
  { cacheDirectory }: Settings,
  { project, wanted, resume }: { project: string; wanted: string | boolean | undefined; resume: boolean },
): string | undefined {
  if (typeof wanted === 'string') return resolve(project, wanted)
  return (wanted ?? (resume || hasCache(cacheDirectory, project))) ? ledgerPath(cacheDirectory.value) : undefined
}

/**
 * The settings as people are shown them: a line each, or in brief, with what differs from the last run, which is remembered.
 * @param remembers false for a dry run, which changes nothing.
 */
export async function settingsLines(
  settings: Settings,
  { project, isBrief, remembers }: { project: string; isBrief: boolean; remembers: boolean },
): Promise<Line[]> {
  if (!isBrief) return describeSettings(settings).map((text) => ({ severity: 'info', text }))
  const { cacheDirectory } = settings
  if (!hasCache(cacheDirectory, project)) return briefSettings(settings, undefined)
  const lines = briefSettings(settings, lastSettings(cacheDirectory.value, project))
  if (remembers) await rememberSettings(cacheDirectory.value, project, settings)
  return lines
}
