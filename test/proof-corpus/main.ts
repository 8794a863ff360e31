// npm run proof-corpus [-- --only <text in a build's name>] [--damage <text>] [--cache <directory>] [--known] [--seen] [--write]
//
// --known: only builds that were tried before. --seen: none that is held out, for work on the proof. The proof, judged by figures: real builds, real damage, and the truth by throwing in Chromium. Prints the table; `--write` puts it into docs/proof-corpus.md.
// Runs of parts add up: the table has every build that the proof, as its code is now, has judged in the cache directory.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { findChromium } from '../support/browser.ts'
import { ROOT } from '../support/build-fixture.ts'
import { prepare } from './builds.ts'
import { ProbingBrowser } from './page.ts'
import { type Case, casesOf, isClean, isDamaged } from './run.ts'
import { isHeldOut, renderTable } from './table.ts'
import { trialsFile } from './trials.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    damage: { type: 'string', default: '' },
    cache: { type: 'string', default: join(tmpdir(), 'symup-proof-corpus') },
    write: { type: 'boolean', default: false },
    known: { type: 'boolean', default: false },
    seen: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
})
const HEAD = `# The proof, judged by figures

Written by \`npm run proof-corpus -- --write\`. Small apps of our own are built by real bundlers, compilers and minifiers (\`fixtures/frameworks/corpus\`), damaged as builds are damaged, and
opened in Chromium, where every place that they registered throws. A file counts as damaged where a frame leads to another line than in the undamaged build, by \`@jridgewell/trace-mapping\`; it
counts as found where the proof has any finding. The builds that are held out have code and tools of their own: they were set apart (\`test/proof-corpus/table.ts\`) before the proof had run over any of
them, and what is missed in them is not used to change the proof.

A file as built counts as damaged where the first frame of an error leads to another line than the one that threw. Where the lines are right and a column is not, it is "off by columns", which counts
neither as damaged nor as clean. All others are clean. The truth about columns (\`test/proof-corpus/columns.ts\`) was written from how V8 and maps work, and shares no code with the proof.

## Builds that were held out

Five rounds, on 22 and 23 November 2026. The builds of the first four were read afterwards and count as seen.

| round | builds | damaged files found | clean files with a warning | what they are |
| --- | ---: | ---: | ---: | --- |
| 1 | 10 | 407 of 410 | 18 of 99 | Qwik's build |
| 2 | 8 | 350 of 363 | 3 of 54 | Sucrase's build |
| 3 | 10 | 312 of 315 | 4 of 51 | three have maps from before terser ran, and count as damaged now; one, a script with emoji, was false, and was corrected |
| 4 | 18 | 923 of 942 | 9 of 213 | none is false: Rslib's maps are 14 columns off, and Vue 2's template has no mappings |
| 5 | 9 | 522 of 524 | 3 of 102 | none is false: Parcel's maps are some 15 columns off from the import of a chunk on |

## Builds that others made

- **Published packages.** In two samples that nobody had read before (46 packages with 150 files that have their sources' text; 62 with 169), 3 and 7 files had a false finding. These were corrected, and a third sample
  (74 packages, 261 files) was tried once: 7 files of 2 packages have a finding, and none is false.
- **Apps, built by their own commands.** mermaid-live-editor, uptime-kuma, elk and memos each had false findings, which were corrected. In AdGuard Home, Angular's RealWorld app, epic-stack and naive-ui-admin one of four findings of
  naive-ui-admin was false; in Solid's playground both of two; in Fuwari and Phanpy none, though one named the wrong plugin. These were corrected too, so none of these apps is a measure any more.

What is true and left in them is the kind of thing that the proof is for: a plugin that returns no map (\`vite-plugin-remove-console\` in Phanpy), a preprocessor with a coarse one (\`sveltePreprocess\`), a compiler that maps no
call of a component (Svelte's), a banner or styles that are put in after the map was made.

## Columns

12 of the 795 files that lead to the right lines are off by columns, each really: Rslib's, Parcel's and Sucrase's. The proof warns of the first two and says nothing of Sucrase's, whose frames lead to the right lines. When the maps of all
builds (without a script of more than 400,000 characters) were moved by a few columns, the proof saw, of the files in which no frame led to another line then, 104 of 121 when they were moved to the right by one column, 87 of 99 by
three, and 23 of 30 when to either side by 14.

## Figures
`
const chromium = findChromium()
if (!chromium) throw new Error('The corpus needs Chromium.')
mkdirSync(values.cache, { recursive: true })
const { app, names } = await prepare(values.cache)
const browser = await ProbingBrowser.open(chromium)
const judged = join(values.cache, 'cases', `${codeOfProof()}.json`)
mkdirSync(dirname(judged), { recursive: true })
const known: Case[] = existsSync(judged) ? JSON.parse(readFileSync(judged, 'utf8')) : []
const byBuild = new Map(names.map((name) => [name, known.filter(({ build }) => build === name)]))
try {
  for (const [index, name] of names.entries()) {
    if (
      !name.includes(values.only) ||
      (values.seen && isHeldOut(name)) ||
      (values.known && !existsSync(trialsFile({ app, cache: values.cache }, name, index)))
    )
      continue
    const wants = (damage: string) => damage.includes(values.damage)
    const found = await casesOf({ app, cache: values.cache, browser }, name, index, wants)
    // Of some damages only, it is not a result of a build.
    if (values.damage === '') {
      byBuild.set(name, found.cases)
      writeFileSync(judged, JSON.stringify([...byBuild.values()].flat()))
    }
    const missed = found.cases.filter((item) => isDamaged(item) && item.findings.length === 0)
    const alarms = found.cases.filter((item) => isClean(item) && item.findings.length > 0)
    const compared = found.cases.reduce((sum, item) => sum + (item.damage === undefined ? item.compared : 0), 0)
    console.log(
      `${name}: ${found.cases.length} cases, ${compared} frames, ${missed.length} missed, ${alarms.length} false alarms`,
    )
    if (isHeldOut(name) && !values.verbose) continue
    for (const text of found.wrong) console.log(`    wrong as built: ${text}`)
    for (const text of found.off) console.log(`    off by columns: ${text}`)
    for (const { file, damage, changed, compared } of missed)
      console.log(`    missed: ${damage}, ${file} (${changed} of ${compared})`)
    for (const { file, findings } of alarms) console.log(`    false: ${file}: ${findings.join(' ').slice(0, 300)}`)
  }
} finally {
  await browser.close()
}
const cases = [...byBuild.values()].flat()
const table = renderTable(cases)
console.log(`\n${table}`)
const tried = new Set(cases.map(({ build }) => build)).size
if (values.write)
  writeFileSync(
    join(ROOT, 'docs/proof-corpus.md'),
    `${HEAD}\nThe table has ${tried} of the ${names.length} builds.\n\n${table}\n`,
  )

/** Tells versions of the proof apart, so that what different ones said is never added up. */
function codeOfProof(): string {
  const hash = createHash('sha256')
  for (const room of ['proof', 'formats/source-map', 'formats/javascript', 'kinds/javascript']) {
    const directory = join(ROOT, 'packages/core/src', room)
    for (const file of readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort())
      if (file.endsWith('.ts') && !file.endsWith('.test.ts')) hash.update(readFileSync(join(directory, file)))
  }
  return hash.digest('hex').slice(0, 8)
}
