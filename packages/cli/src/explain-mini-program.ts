import { join } from 'node:path'
import { renderProblems } from '@symup/core/internal'
import { pack } from '@symup/mini-program'
import {
  archivedMaps,
  artifactSourceOf,
  type Explanation,
  type StackQuestion,
  symbolicateApart,
} from '@symup/symbolicate'
import { withTemporaryDirectory } from './temporary-directory.ts'
import { printLines } from './terminal.ts'

/** Resolves the stack of a mini program from its archive, or from the directory that it was built into. */
export function explainMiniProgram(from: string, question: StackQuestion): Promise<Explanation> {
  return withTemporaryDirectory(async (directory) => {
    const { archive, maps, problems } = await pack(from, { output: join(directory, 'sourcemap.zip') })
    printLines(renderProblems(problems), process.stderr)
    const { service, version, appid } = question
    const release = { service, version, ...(appid !== undefined && { appid }) }
    const miniPrograms = archivedMaps(archive ?? '', release, maps)
    return symbolicateApart({ ...question, platform: 'miniprogram' }, { ...artifactSourceOf([]), miniPrograms })
  })
}
