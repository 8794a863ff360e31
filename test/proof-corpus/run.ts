import { type Judged, judge } from './judge.ts'
import { findingsOf, NOT_COMPARED } from './prove.ts'
import { type Places, trialsOf } from './trials.ts'

/** One file of one build, unmodified or damaged, and the check's findings. */
export interface Case {
  build: string
  /** Undefined for an unmodified build. */
  damage?: string
  file: string
  /** Frames thrown in the file, and how many of them resolve to a wrong line. */
  compared: number
  changed: number
  /** For unmodified builds: frames that resolve to another position in the right line. */
  off: number
  findings: string[]
  /** The check reports that there is nothing to compare with. */
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

/** Whether a frame resolves to a wrong line, and the check could detect it, or reported it anyway. */
export function isDamaged({ changed, findings, isTextless }: Case): boolean {
  return changed > 0 && (!isTextless || findings.length > 0)
}

/** Whether an unmodified build's frames all resolve to the right line, but some to another column. */
export function isOffByColumns({ damage, changed, off }: Case): boolean {
  return damage === undefined && changed === 0 && off > 0
}

/** Whether every frame of an unmodified build resolves to its exact position. */
export function isClean({ damage, changed, off }: Case): boolean {
  return damage === undefined && changed === 0 && off === 0
}
