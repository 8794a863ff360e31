// npm run proof-corpus [-- --only <text in a build's name>] [--damage <text>] [--cache <directory>] [--known] [--write]
//
// --known: only builds that were tried before. The proof, judged by figures: real builds, real damage, and the truth by throwing in Chromium. Prints the table; `--write` puts it into docs/proof-corpus.md.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findChromium } from '../support/browser.ts'
import { ROOT } from '../support/build-fixture.ts'
import { prepare } from './builds.ts'
import { ProbingBrowser } from './page.ts'
import { type Case, casesOf } from './run.ts'
import { isHeldOut, renderTable } from './table.ts'
import { trialsFile } from './trials.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    damage: { type: 'string', default: '' },
    cache: { type: 'string', default: join(tmpdir(), 'symup-proof-corpus') },
    write: { type: 'boolean', default: false },
    known: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
})
const HEAD = `# The proof, judged by figures

Written by \`npm run proof-corpus -- --write\`. Small apps of our own are built by real bundlers, compilers and minifiers (\`fixtures/frameworks/corpus\`), damaged in the ways that
builds are damaged, and opened in Chromium, where everything throws that they registered. A file counts as damaged where a frame leads to another line than in
the undamaged build, by \`@jridgewell/trace-mapping\`; it counts as found where the proof says anything of it. A quarter of the builds is held out, chosen by
a hash of their names (\`test/proof-corpus/table.ts\`): since then their misses are only counted. The split is younger than the proof: of the ten builds five were
in the first corpus, and the misses of three more were read before they were set apart, so that line says less than it would of builds never seen.
`
const chromium = findChromium()
if (!chromium) throw new Error('The corpus needs Chromium.')
mkdirSync(values.cache, { recursive: true })
const { app, names } = await prepare(values.cache)
const browser = await ProbingBrowser.open(chromium)
const cases: Case[] = []
try {
  for (const [index, name] of names.entries()) {
    if (!name.includes(values.only) || (values.known && !existsSync(trialsFile(values.cache, name)))) continue
    const wants = (damage: string) => damage.includes(values.damage)
    const found = await casesOf({ app, cache: values.cache, browser }, name, index, wants)
    cases.push(...found.cases)
    const missed = found.cases.filter(({ changed, findings }) => changed > 0 && findings.length === 0)
    const alarms = found.cases.filter(
      ({ damage, changed, findings }) => damage === undefined && changed === 0 && findings.length > 0,
    )
    const compared = found.cases.reduce((sum, item) => sum + (item.damage === undefined ? item.compared : 0), 0)
    console.log(
      `${name}: ${found.cases.length} cases, ${compared} frames, ${missed.length} missed, ${alarms.length} false alarms`,
    )
    if (isHeldOut(name) && !values.verbose) continue
    for (const text of found.wrong) console.log(`    wrong as built: ${text}`)
    for (const { file, damage, changed, compared } of missed)
      console.log(`    missed: ${damage}, ${file} (${changed} of ${compared})`)
    for (const { file, findings } of alarms) console.log(`    false: ${file}: ${findings.join(' ').slice(0, 300)}`)
  }
} finally {
  await browser.close()
}
writeFileSync(join(values.cache, 'cases.json'), JSON.stringify(cases, undefined, 1))
const table = renderTable(cases)
console.log(`\n${table}`)
const tried = new Set(cases.map(({ build }) => build)).size
if (values.write)
  writeFileSync(
    join(ROOT, 'docs/proof-corpus.md'),
    `${HEAD}\nThe last run had ${tried} of the ${names.length} builds.\n\n${table}\n`,
  )
