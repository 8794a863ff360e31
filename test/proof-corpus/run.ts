import { findingsOf } from './prove.ts'
import { type Judged, type Places, trialsOf } from './trials.ts'

/** One file of one build, as built or damaged, and what the proof said of it. */
export interface Case {
  build: string
  /** Undefined: as built. */
  damage?: string
  file: string
  /** Frames that were thrown in the file, and how many of them lead to another line than they should. */
  compared: number
  changed: number
  findings: string[]
}

/** All cases of a build. @param index its number among all builds. @param wants which damages to try; all by default. */
export async function casesOf(
  places: Places,
  name: string,
  index: number,
  wants: (damage: string) => boolean = () => true,
): Promise<{ cases: Case[]; wrong: string[] }> {
  const trials = await trialsOf(places, name, index)
  const cases: Case[] = []
  for (const trial of trials)
    if (trial.damage === undefined || wants(trial.damage)) cases.push(...(await casesIn(name, trial)))
  return { cases, wrong: trials.flatMap(({ wrong }) => wrong) }
}

async function casesIn(build: string, { damage, pairs, truth }: Judged): Promise<Case[]> {
  const findings = await findingsOf(pairs)
  return pairs.map(({ file }, index) => ({
    build,
    ...(damage !== undefined && { damage }),
    file,
    ...(truth[index] as Judged['truth'][number]),
    findings: findings.get(file) ?? [],
  }))
}
