import { resolve } from 'node:path'
import { EXIT, isFailure, type Line, renderProblems } from '@symup/core'
import { injectDebugIds } from '@symup/core/internal'
import { t } from '@symup/core/text'
import { printDocument } from '../failure.ts'
import type { UploadFlags } from '../flags.ts'
import { printLines } from '../terminal.ts'

type InjectFlags = Pick<UploadFlags, 'dryRun' | 'json' | 'quiet' | 'cwd'>

/**
 * Runs `symup web inject <dir>`.
 * @returns 0 if all scripts with source maps have debug ids, 1 if a debug id could not be injected, 2 if the directory cannot be read, or 3
 * if no script has a source map.
 */
export async function inject(path: string, { dryRun = false, ...flags }: InjectFlags): Promise<number> {
  const cwd = resolve(flags.cwd ?? '.')
  const prose = flags.json ? process.stderr : process.stdout
  const result = await injectDebugIds({ directory: resolve(cwd, path), cwd, dryRun })
  const { injected, unchanged, problems } = result
  if (!flags.quiet)
    printLines(
      injected.map((text): Line => ({ severity: 'info', text: `  ${text}` })),
      prose,
    )
  printLines(renderProblems(problems), prose)
  if (flags.json) printDocument(result)
  if (problems.some(({ code }) => code === 'directory-unreadable')) return EXIT.unusable
  if (problems.some(({ code }) => code === 'nothing-found')) return EXIT.nothingFound
  const failed = problems.some((item) => isFailure(item, false))
  printLines(
    [{ severity: failed ? 'error' : 'good', text: lastLine(injected.length, unchanged.length, dryRun) }],
    prose,
  )
  return failed ? EXIT.incomplete : EXIT.ok
}

function lastLine(injected: number, unchanged: number, dryRun: boolean): string {
  const scripts = t`${injected} script${injected === 1 ? '' : 's'}`
  const done = dryRun ? t`Would add debug ids to ${scripts}.` : t`Added debug ids to ${scripts}.`
  return unchanged === 0
    ? done
    : t`${done} ${t`${unchanged} other script${unchanged === 1 ? '' : 's'} already had debug ids.`}`
}
