import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { type CraftedEntry, type CraftedZip, writeZip } from '../../../../../test/support/crafted-zip.ts'
import { checkMiniProgramArchive } from './mini-program-archive.ts'

export const MAP = '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA,CAAC"}'
export const MAIN: CraftedEntry = { name: '__FULL__/app-service.js.map', content: MAP }

/** Each test overwrites this archive, which has its own directory. */
export function useArchive() {
  const directory = mkdtempSync(join(tmpdir(), 'symup-mini-'))
  afterAll(() => rmSync(directory, { recursive: true }))
  const archive = join(directory, 'sourcemap.zip')

  /** The result of the check: the maps, or the status, code and message. */
  async function verdict() {
    const result = await checkMiniProgramArchive(archive)
    if (result.ok) return result
    const { status, problem } = result
    return `${status} ${problem.code}: ${problem.message}`
  }

  async function check(entries: CraftedEntry[], rest: Omit<CraftedZip, 'entries'> = {}) {
    writeZip(archive, { entries, ...rest })
    return verdict()
  }

  return { directory, archive, verdict, check }
}
