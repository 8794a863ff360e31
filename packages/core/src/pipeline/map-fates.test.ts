import { join } from 'node:path'
import { array, assert, boolean, constantFrom, option, property, record, subarray } from 'fast-check'
import { expect, it } from 'vitest'
import { scriptEvent } from '../kinds/javascript/event.fixture.ts'
import type { SymbolUpload } from '../model/plan.ts'
import type { OutcomeStatus } from '../model/report.ts'
import { decideFates } from './map-fates.ts'
import type { Artifact } from './outputs.ts'

const DIRECTORY = '/app/dist'
const MAPS = ['a.js.map', 'b.js.map', 'c.css.map', 'a.js.map.gz']
const part = (name: string, file: string) => ({ name, filename: file, path: join(DIRECTORY, file), bytes: 1 })
const upload = (script: string, map: string): SymbolUpload => ({
  event: scriptEvent(`/${script}`),
  parts: [part('source_map', map), part('minified_file', script)],
})

const artifacts = array(
  record({
    // Two scripts may share a map.
    upload: constantFrom(['a.js', 'a.js.map'], ['b.js', 'b.js.map'], ['other.js', 'a.js.map'] as const).map(
      ([script, map]) => upload(script as string, map as string),
    ),
    status: option(constantFrom<OutcomeStatus>('accepted', 'already-there', 'refused', 'failed', 'not-tried'), {
      nil: undefined,
    }),
  }),
  { maxLength: 4 },
)
const circumstances = record({ later: boolean(), dryRun: boolean(), present: subarray(['a.js', 'a.js.gz', 'b.js']) })

it('deletes no map before its artifact was accepted or staged, and nothing in a dry run', () => {
  assert(
    property(artifacts, subarray(MAPS), boolean(), circumstances, (all: Artifact[], deletable, clears, run) => {
      const output = { directory: DIRECTORY, files: new Set<string>(), deletable: new Set(deletable), clears }
      const exists = (path: string) => (run.present as string[]).some((file) => path === join(DIRECTORY, file))
      const { stage, maps } = decideFates(output, all, { ...run, isMap: () => true, exists })
      for (const [path, fate] of maps) {
        const own = all.filter((it) => it.upload.parts[0]?.path === path.replace(/\.gz$/, ''))
        const missing = own.filter(({ status }) => status !== 'accepted' && status !== 'already-there')
        if (fate.does === 'keep') continue
        expect(run.dryRun).toBe(false)
        if (fate.why === 'arrived') expect([own.length > 0, missing]).toEqual([true, []])
        if (fate.why === 'unneeded') expect([own, clears]).toEqual([[], true])
        if (fate.why !== 'staged') continue
        expect(fate.after).toEqual(missing.map((it) => it.upload))
        for (const one of fate.after) expect(stage).toContain(one)
      }
      if (run.dryRun) expect(stage).toEqual([])
      // If no map may stay in the output, each map must have a result.
      if (clears) expect(maps.size).toBe(deletable.length)
    }),
  )
})

it('keeps the map for a script if only a compressed copy of the script is left', () => {
  const exists = (path: string) => path === `${DIRECTORY}/a.js.gz`
  const output = { directory: DIRECTORY, files: new Set<string>(), deletable: new Set(MAPS), clears: true }
  const { maps } = decideFates(output, [], { later: false, dryRun: false, isMap: () => true, exists })
  expect([...maps.values()].map(({ why }) => why)).toEqual(['script-gone', 'unneeded', 'unneeded', 'script-gone'])
})
