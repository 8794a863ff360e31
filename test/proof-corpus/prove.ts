import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { collectJavaScript, prove } from '@symup/core'
import type { Pair } from './builds.ts'

/** Reported for a file in which nothing was compared, because its map contains no source texts. */
export const NOT_COMPARED = 'not compared'

/** The findings for each file, by file name, as the plugins, the command and `symup check` report them for files in a directory. */
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
