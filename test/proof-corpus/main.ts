// npm run proof-corpus [-- --only <text in a build's name>] [--damage <text>] [--cache <directory>] [--known] [--seen] [--write]
//
// Measures the checks on real builds with real damage, against errors that are thrown in Chromium. `--write` puts the table into
// docs/evidence/proof-corpus.md. --known: only builds that ran before. --seen: no held-out builds, for work on the checks. Results of
// several partial runs add up in the cache directory, as long as the code of the checks stays the same.
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
const HEAD = `# How the checks are measured

\`npm run proof-corpus -- --write\` measures the [checks before the upload](../concepts.md#checks-before-the-upload) on real builds and writes this page.

Real bundlers, compilers and minifiers build small apps (\`fixtures/frameworks/corpus\`). The program damages the scripts and maps in ways that occur in practice, and opens every build in Chromium.
Each registered position in an app throws an error. \`@jridgewell/trace-mapping\` resolves the frames.

- A file is **damaged** if a frame resolves to a different line than in the undamaged build. A file from the original build is damaged if the first frame of an error resolves to a line that did not throw.
- A damaged file is **found** if the checks report any problem in the file.
- A file is **off by columns** if all its lines are right but a column is wrong. Files that are off by columns count neither as damaged nor as clean.
- All other files are **clean**.

The code that decides whether columns are right (\`test/proof-corpus/columns.ts\`) is based on V8 and the source map format, and shares no code with the checks.

## Held-out builds

Some builds use their own app code and their own tools. These builds were held out (\`test/proof-corpus/table.ts\`) before the checks ran on them.
Damage that the checks miss in held-out builds is not used to improve the checks.

The checks ran on held-out builds in five rounds, on 22 and 23 November 2026. The builds from the first four rounds were inspected afterwards, so they now count as "seen before".

| round | builds | damaged files found | clean files with a warning | remaining findings |
| --- | ---: | ---: | ---: | --- |
| 1 | 10 | 407 of 410 | 18 of 99 | Qwik's build |
| 2 | 8 | 350 of 363 | 3 of 54 | Sucrase's build |
| 3 | 10 | 312 of 315 | 4 of 51 | three true, one false |
| 4 | 18 | 923 of 942 | 9 of 213 | all true: Rslib and Vue 2 |
| 5 | 9 | 522 of 524 | 3 of 102 | all true: Parcel |

- Round 3: the source maps of three files were from before terser ran, so these files now count as damaged. A false warning for a script with emoji was corrected.
- Round 4: source maps from Rslib are off by 14 columns. Vue 2 generates no mappings for templates.
- Round 5: source maps from Parcel are off by about 15 columns after the first import of a chunk.

## Builds by other projects

**Published packages.** Two samples that nobody had inspected contained 46 packages (150 files with source text) and 62 packages (169 files).
The checks reported false findings in three files from the first sample and in seven files from the second. After the checks were corrected, a third sample of 74 packages (261 files) was checked once.
The checks reported findings in seven files from two packages,
and all these findings were true.

**Apps, built by their own commands.** The checks have been corrected for every false finding in this table, so these apps can no longer be used for measurements.

| app | false findings |
| --- | --- |
| mermaid-live-editor, uptime-kuma, elk, memos | some in each app |
| naive-ui-admin | 1 of 4 |
| Solid's playground | 2 of 2 |
| AdGuard Home, Angular's RealWorld app, epic-stack | none |
| Fuwari, Phanpy | none, but one finding named the wrong plugin |

The true findings in these apps have typical causes:

- a plugin that returns no map (\`vite-plugin-remove-console\` in Phanpy)
- a preprocessor with a coarse map (\`sveltePreprocess\`)
- a compiler that does not map component calls (Svelte)
- a banner or styles that are added after the map was generated

## Columns

In 795 files, all lines are right. 12 of these files are off by columns. The 12 files come from Rslib, Parcel and Sucrase. The checks report the files from Rslib and Parcel, but not the files from Sucrase.

In a second experiment, the source maps of all builds were shifted by a few columns, except for scripts of more than 400,000 characters. The table lists only files that still resolved to the right lines:

| shift | files flagged |
| --- | ---: |
| 1 column to the right | 104 of 121 |
| 3 columns to the right | 87 of 99 |
| 14 columns to either side | 23 of 30 |

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
    // With only some damages, the result does not describe the whole build.
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
    join(ROOT, 'docs/evidence/proof-corpus.md'),
    `${HEAD}\nThe table covers ${tried} of ${names.length} builds.\n\n${table}\n`,
  )

/** Distinguishes versions of the check, so that results of different versions are never added up. */
function codeOfProof(): string {
  const hash = createHash('sha256')
  for (const room of ['proof', 'formats/source-map', 'formats/javascript', 'kinds/javascript']) {
    const directory = join(ROOT, 'packages/core/src', room)
    for (const file of readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort())
      if (file.endsWith('.ts') && !file.endsWith('.test.ts')) hash.update(readFileSync(join(directory, file)))
  }
  return hash.digest('hex').slice(0, 8)
}
