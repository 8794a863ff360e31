import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Row } from './table.ts'

/** The cost of a process and its children. */
export interface Cost {
  /** User and system time, in seconds. */
  cpu: number
  /** Seconds. */
  wall: number
  /** Largest resident set, in MB. */
  peak: number
}

/** A program that ended with an error or did not do its work. The message explains how. */
export class Failed extends Error {}

/** Runs a command to its end. @throws Failed with its exit code and last output. */
export async function timed(
  command: readonly string[],
  options: { cwd: string; env: Record<string, string | undefined> },
): Promise<Cost & { output: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-'))
  const figures = join(directory, 'time')
  try {
    const child = spawn('/usr/bin/time', ['-f', '%U %S %e %M', '-o', figures, ...command], {
      ...options,
      env: { PATH: process.env.PATH, HOME: directory, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Failed(`exit code ${code}: ${output.trim().slice(-300)}`)
    const [user = 0, system = 0, wall = 0, kilobytes = 0] = readFileSync(figures, 'utf8').trim().split(' ').map(Number)
    return { cpu: user + system, wall, peak: kilobytes / 1024, output }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Why nothing can be measured on this machine; undefined if it can. */
export function unable(): string | undefined {
  if (spawnSync('/usr/bin/time', ['true']).status === 0) return undefined
  return 'Costs are measured with GNU time at /usr/bin/time, which is not there.'
}

/**
 * Runs contestants in rounds, so that other load on the machine affects all of them. Each round begins with another
 * one. A contestant that fails is not tried again.
 * @param measure returns the figures of one run by metric name. @throws Failed
 */
export async function inRounds<T extends { name: string }>(
  contestants: readonly T[],
  rounds: number,
  measure: (contestant: T) => Promise<Record<string, number>>,
): Promise<Row[]> {
  const samples = new Map<string, Record<string, number[]>>(contestants.map(({ name }) => [name, {}]))
  const failures = new Map<string, string>()
  for (let round = 0; round < rounds; round++) {
    const first = round % Math.max(1, contestants.length)
    for (const contestant of [...contestants.slice(first), ...contestants.slice(0, first)]) {
      if (failures.has(contestant.name)) continue
      try {
        const figures = Object.entries(await measure(contestant))
        const own = samples.get(contestant.name) as Record<string, number[]>
        for (const [metric, value] of figures) own[metric] = [...(own[metric] ?? []), value]
      } catch (error) {
        if (!(error instanceof Failed)) throw error
        failures.set(contestant.name, error.message)
      }
    }
  }
  return contestants.map(({ name }) => {
    const failure = failures.get(name)
    return { name, samples: samples.get(name) ?? {}, ...(failure !== undefined && { failure }) }
  })
}
