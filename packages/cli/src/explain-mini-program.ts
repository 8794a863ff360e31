import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { renderProblems } from '@symup/core'
import { pack } from '@symup/mini-program'
import { archivedMaps, artifactSourceOf, type Explanation, type StackQuestion, symbolicate } from '@symup/symbolicate'
import { printLines } from './terminal.ts'

/** Resolves the stack of a mini program from its archive, or from the directory that it was built into. */
export async function explainMiniProgram(from: string, question: StackQuestion): Promise<Explanation> {
  const place = await mkdtemp(join(tmpdir(), 'symup-'))
  try {
    const { archive, maps, problems } = await pack(from, { output: join(place, 'sourcemap.zip') })
    printLines(renderProblems(problems), process.stderr)
    const { service, version, appid } = question
    const release = { service, version, ...(appid !== undefined && { appid }) }
    const miniPrograms = archivedMaps(archive ?? '', release, maps)
    return await symbolicate({ ...question, platform: 'miniprogram' }, { ...artifactSourceOf([]), miniPrograms })
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}
