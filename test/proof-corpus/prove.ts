import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { collectJavaScript, prove } from '@symup/core'
import type { Pair } from './builds.ts'

/** What is said of a file of which nothing was compared: its map has no text of its sources. */
export const NOT_COMPARED = 'not compared'

/** What is said of each file, as the plugins, the command and `symup check` say it: from files in a directory. By the file's name. */
export async function findingsOf(pairs: readonly Pair[]): Promise<Map<string, string[]>> {
  const directory = mkdtempSync(join(tmpdir(), 'symup-corpus-'))
  try {
    for (const { file, script, map } of pairs) {
      const path = join(directory, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, script)
      writeFileSync(`${path}.map`, map)
    }
    const where = { directory, service: 's', version: '1', minifiedPathPrefix: '/', toolVersion: '0' }
    const plan = await collectJavaScript(where)
    const proof = await prove(plan.uploads, { cwd: directory })
    const findings = new Map<string, string[]>(pairs.map(({ file }) => [file, []]))
    for (const { file, code, message, severity } of [...plan.problems, ...proof.problems]) {
      const isTextless = code === 'sources-without-content' && message.endsWith('the text of its sources.')
      if (severity === 'info' && !isTextless) continue
      const own = pairs.find((pair) => file === pair.file || file === `${pair.file}.map`)
      if (own) findings.get(own.file)?.push(isTextless ? NOT_COMPARED : `${code}: ${message}`)
    }
    return findings
  } finally {
    rmSync(directory, { recursive: true })
  }
}
