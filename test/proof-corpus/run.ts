import { type Judged, judge } from './judge.ts'
import { findingsOf, NOT_COMPARED } from './prove.ts'
import { type Places, trialsOf } from './trials.ts'

/** One file of one build, as built or damaged, and what the proof said of it. */
export interface Case {
  build: string
  /** Undefined: as built. */
  damage?: string
  file: string
  /** Frames that were thrown in the file, and how many of them lead to another line than they should. */
  compared: number
  changed: number
  /** As built: frames that lead to another place in the right line. */
  off: number
  findings: string[]
  /** The proof says that there is nothing to compare with. */
  isTextless?: true
}

/** All cases of a build. @param index its number among all builds. @param wants which damages to try; all by default. */
export async function casesOf(
  places: Places,
  name: string,
  index: number,
  wants: (damage: string) => boolean = () => true,
): Promise<{ cases: Case[]; wrong: string[]; off: string[] }> {
  const trials = judge(await trialsOf(places, name, index))
  const cases: Case[] = []
  for (const trial of trials)
    if (trial.damage === undefined || wants(trial.damage)) cases.push(...(await casesIn(name, trial)))
  return { cases, wrong: trials.flatMap(({ wrong }) => wrong), off: trials.flatMap(({ off }) => off) }
}

async function casesIn(build: string, { damage, pairs, truth }: Judged): Promise<Case[]> {
  const findings = await findingsOf(pairs)
  return pairs.map(({ file }, index) => {
    const output = findings.get(file) ?? []
    return {
      build,
      ...(damage !== undefined && { damage }),
      file,
      ...(truth[index] as Judged['truth'][number]),
      findings: output.filter((finding) => finding !== NOT_COMPARED),
      ...(output.includes(NOT_COMPARED) && { isTextless: true as const }),
    }
  })
}

/** A frame of it leads elsewhere, and the proof had something to tell it by, or told it all the same. */
export function isDamaged({ changed, findings, isTextless }: Case): boolean {
  return changed > 0 && (!isTextless || findings.length > 0)
}

/** As built, and no frame of it leads to another line, but some to another column. */
export function isOffByColumns({ damage, changed, off }: Case): boolean {
  return damage === undefined && changed === 0 && off > 0
}

/** As built, and every frame of it leads to its place. */
export function isClean({ damage, changed, off }: Case): boolean {
  return damage === undefined && changed === 0 && off === 0
}
