// node scripts/run.js test/bench/resolve/same-frames.ts [--rounds N]
//
// The same frames of the same 40 source maps, resolved by our reader, `@jridgewell/trace-mapping`, `source-map` (WebAssembly) and `metro-symbolicate`, each in
// fresh processes, by turns: one frame of each map, and 50 of each. CPU time beyond loading the program; an idle process takes no part in it. Ours is asked as the intake
// asks it, with an index that was made at upload (`ours`), and with one that has to be made first. Fails where an answer differs from that of trace-mapping.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Failed } from '../measure.ts'
import { installed } from '../peers.ts'
import { makeWorkload } from '../upload/workloads.ts'
import { positionsIn } from './positions.ts'
import type { AskedMap, ReaderAnswer } from './readers.ts'

const PEERS = { 'source-map': '0.8.0', 'metro-symbolicate': '0.87.1' }
const READERS = ['trace-mapping', 'ours', 'ours, index first', 'source-map', 'metro-symbolicate'] as const
const PLACES = 50

const { values } = parseArgs({
  options: {
    cache: { type: 'string', default: join(tmpdir(), 'symup-bench') },
    rounds: { type: 'string', default: '5' },
  },
})
const scratch = mkdtempSync(join(tmpdir(), 'symup-bench-frames-'))
try {
  const peers = await installed(values.cache, PEERS).catch((error) => {
    if (!(error instanceof Failed)) throw error
    console.log(error.message)
    return undefined
  })
  const { directory, pairs } = await makeWorkload('S', values.cache)
  const maps = Array.from({ length: pairs }, (_, nth): AskedMap => {
    const script = join(directory, `chunk-${String(nth).padStart(4, '0')}.js`)
    return { map: `${script}.map`, index: join(scratch, `${nth}.index`), places: positionsIn(script, PLACES, nth) }
  })
  const asked = join(scratch, 'maps.json')
  writeFileSync(asked, JSON.stringify(maps))
  run('make indexes', asked)
  const readers = READERS.filter((name) => peers || !(name in PEERS))
  const rounds = Array.from({ length: Number(values.rounds) }, (_, round) =>
    readers.map((_, nth) => {
      const name = readers[(nth + round) % readers.length] as string
      return [name, run(name, asked, peers?.resolve(`${name in PEERS ? name : 'source-map'}/package.json`))] as const
    }),
  )
  const of = (name: string) => rounds.map((round) => round.find(([it]) => it === name)?.[1] as ReaderAnswer)
  const best = (name: string, what: 'first' | 'all') => Math.min(...of(name).map((it) => it[what]))
  const [truth] = of('trace-mapping') as [ReaderAnswer]
  for (const name of readers) {
    const [{ answers }] = of(name) as [ReaderAnswer]
    const different = answers.filter((answer, nth) => answer !== truth.answers[nth])
    const ratio = (what: 'first' | 'all') => (best(name, what) / best('trace-mapping', what)).toFixed(2)
    console.log(
      `${name.padEnd(18)} one frame of each map ${best(name, 'first').toFixed(0).padStart(5)} ms of CPU (${ratio('first')} ×), ` +
        `${PLACES} of each ${best(name, 'all').toFixed(0).padStart(5)} ms (${ratio('all')} ×), peak ${of(name)[0]?.megabytes.toFixed(0)} MB; ` +
        `${answers.length} frames, ${different.length} other than trace-mapping`,
    )
    if (different.length === 0) continue
    const nth = answers.findIndex((answer, at) => answer !== truth.answers[at])
    console.log(`  such as ${answers[nth]} and not ${truth.answers[nth]}`)
    if (name.startsWith('ours')) process.exitCode = 1
  }
} finally {
  rmSync(scratch, { recursive: true })
}

function run(reader: string, asked: string, peer = ''): ReaderAnswer {
  const answer = join(scratch, 'answer.json')
  const args = [...process.execArgv, join(import.meta.dirname, 'readers.ts'), reader, asked, answer, peer]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${reader}: ${stderr}`)
  return JSON.parse(readFileSync(answer, 'utf8'))
}
