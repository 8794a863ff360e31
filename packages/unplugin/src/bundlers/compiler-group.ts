import { isDeepStrictEqual } from 'node:util'
import { isInside } from '@symup/core/internal'
import type { Compiler } from 'webpack'
import type { LostMaps } from '../lost-maps.ts'
import type { SymupOptions } from '../options.ts'
import type { BuildReport, BundleOutput } from '../output.ts'
import type { BuildPrefix } from '../prefix.ts'

export interface Task {
  output: BundleOutput
  /** The options that decide how the compiler's files are sent, and the project directory. */
  settings: { options: SymupOptions; prefix: BuildPrefix | undefined; root: string }
  lostMaps: LostMaps
  finish(report: BuildReport): Promise<void>
  /** Cancels the task, because the build failed or another task's `finish` includes this task. */
  abandon(): void
}

type Outcome = Task | 'nothing' | 'failed'

interface Group {
  members: Set<object>
  settled: Map<object, Outcome>
}

const groups = new WeakMap<object, Group>()
let underConstruction: Group | undefined

/**
 * Registers a compiler and finds out which other compilers are built together with it in one `MultiCompiler`. Must be called when the
 * plugin is applied. A compiler has no reference to its MultiCompiler. However, after all plugins have been applied, the constructor of
 * MultiCompiler taps the `done` hook of each compiler. The tap is named `MultiCompiler` in webpack 5 and in Rspack 1 and 2.
 */
export function enterGroup(compiler: object): void {
  underConstruction = undefined
  groups.set(compiler, { members: new Set([compiler]), settled: new Map() })
  const { hooks } = compiler as Compiler
  hooks.done.intercept({
    register(tap) {
      if (tap.name === 'MultiCompiler') {
        underConstruction ??= { members: new Set(), settled: new Map() }
        underConstruction.members.add(compiler)
        groups.set(compiler, underConstruction)
      }
      return tap
    },
  })
}

/** Tests whether a compiler is one of several that are built together. The result is known only after the build starts. */
export function isOneOfSeveral(compiler: object): boolean {
  return (groups.get(compiler)?.members.size ?? 0) > 1
}

/**
 * Collects the tasks of all compilers and runs them after the last compiler has finished. If a compiler failed, no task runs, because a
 * failed build is not released.
 */
export async function settle(compiler: object, outcome: Outcome): Promise<void> {
  const group = groups.get(compiler)
  if (!group) return
  group.settled.set(compiler, outcome)
  const outcomes = [...group.settled.values()]
  const tasks = outcomes.filter((outcome): outcome is Task => typeof outcome === 'object')
  const hasFailed = outcomes.includes('failed')
  // Do not wait for the other compilers, because compilers that depend on the failed compiler never run.
  if (hasFailed) for (const task of tasks) task.abandon()
  if (outcomes.length < group.members.size) return
  group.settled.clear()
  if (!hasFailed) await finishAll(joined(tasks))
}

interface Joint extends Omit<Task, 'output'> {
  outputs: BundleOutput[]
}

/**
 * Runs the tasks one after another. A task also deletes the maps that earlier tasks left for it.
 * @throws the first error, after all tasks have run.
 */
async function finishAll(joints: readonly Joint[]): Promise<void> {
  const errors: unknown[] = []
  for (const [index, { outputs, finish }] of joints.entries()) {
    const later = joints.slice(index + 1).flatMap((it) => it.outputs)
    const report = { outputs: outputs.map((output) => withoutMapsOf(later, output)) }
    await finish(report).catch((error: unknown) => errors.push(error))
  }
  if (errors.length > 0) throw errors[0]
}

/** Merges the tasks of compilers with the same settings, so that shared files are sent only once and no address is used twice. */
function joined(tasks: readonly Task[]): Joint[] {
  const joints: Joint[] = []
  for (const { output, ...rest } of tasks) {
    const joint = joints.find(({ settings }) => isDeepStrictEqual(settings, rest.settings))
    if (joint === undefined) {
      joints.push({ ...rest, outputs: [output] })
      continue
    }
    rest.abandon()
    joint.lostMaps.include(rest.lostMaps)
    const { directory, deployed } = output
    const same = joint.outputs.findIndex((it) => it.directory === directory && it.deployed === deployed)
    if (same === -1) joint.outputs.push(output)
    else joint.outputs[same] = merged(joint.outputs[same] as BundleOutput, output)
  }
  return joints
}

function merged(one: BundleOutput, other: BundleOutput): BundleOutput {
  return {
    ...one,
    files: new Set([...one.files, ...other.files]),
    deletable: new Set([...one.deletable, ...other.deletable]),
    maps: new Map([...one.maps, ...other.maps]),
    copied: new Set([...one.copied, ...other.copied]),
  }
}

/** Excludes maps that a later task sends and deletes. Until then, these maps are not treated as leaks. */
function withoutMapsOf(later: readonly BundleOutput[], output: BundleOutput): BundleOutput {
  const { directory, deletable } = output
  const overlaps = (it: BundleOutput) => isInside(it.directory, directory) || isInside(directory, it.directory)
  if (!later.some(overlaps)) return output
  const theirs = later.filter((it) => it.directory === directory).flatMap((it) => [...it.deletable])
  const leftToOthers = new Set(theirs.filter((map) => deletable.has(map)))
  return {
    ...output,
    shared: true,
    leftToOthers,
    deletable: new Set([...deletable].filter((map) => !leftToOthers.has(map))),
  }
}
