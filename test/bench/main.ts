// npm run bench -- [--only name,name] [--rounds N] [--check] [--write]
//
// Prints one page with every table, the machine and the versions. Figures are the best of the rounds, in which all
// contestants take turns, and ratios to a peer in the same run with their range between rounds. `--check` exits with 1
// if a goal is missed or could not be measured. `--write` puts the tables into the pages that show them.
// `--only upload` selects every table whose name begins with it.
import { parseArgs } from 'node:util'
import { heading } from './heading.ts'
import { Failed, unable } from './measure.ts'
import { writeIntoPages } from './pages.ts'
import { PROGRAMS, runProgram } from './programs.ts'
import { goalLine, judge, markdown } from './table.ts'
import { TABLES } from './tables.ts'

const values = read()
const wanted = values.only?.split(',')
const isWanted = ({ name }: { name: string }) =>
  !wanted || wanted.some((word) => name.toLowerCase().startsWith(word.toLowerCase()))
const tables = TABLES.filter(isWanted)
const programs = PROGRAMS.filter(isWanted)
const rounds = Number(values.rounds)
if (tables.length + programs.length === 0 || !(rounds >= 1)) {
  const names = [...TABLES, ...PROGRAMS].map(({ name }) => name)
  console.error(`There is no such table. There are: ${names.join(', ')}. --rounds takes a number from 1.`)
  process.exit(2)
}
const why = unable()
if (why !== undefined && tables.length > 0) {
  console.error(why)
  process.exit(2)
}

const head = heading(rounds)
console.log(`${head}\n`)
const goals: string[] = []
let missed = 0
const note = (line: string, isMet: boolean) => {
  goals.push(line)
  if (!isMet) missed++
}
for (const { name, measure } of tables) {
  console.error(`Measuring ${name} …`)
  try {
    const table = await measure(rounds)
    console.log(`${markdown(table)}\n`)
    for (const judged of judge(table)) note(goalLine(name, judged), judged.isMet)
    if (values.write) writeIntoPages(table, head)
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    note(`MISSED ${name} could not be measured: ${error.message}`, false)
  }
}
for (const program of programs) {
  console.error(`Measuring ${program.name} …`)
  const { output, isMet } = await runProgram(program)
  console.log(`**${program.title}**\n\n${output}\n`)
  note(`${isMet ? 'met   ' : 'MISSED'} ${program.name}`, isMet)
}
console.log(`**Goals: ${goals.length - missed} of ${goals.length} are met**\n\n${goals.join('\n')}`)
if (values.check && missed > 0) process.exitCode = 1

/** Reads the command line; invalid arguments end the process. */
function read() {
  try {
    return parseArgs({
      options: {
        only: { type: 'string' },
        rounds: { type: 'string', default: '5' },
        check: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    console.error((error as Error).message)
    console.error('npm run bench -- [--only name,name] [--rounds N] [--check] [--write]')
    process.exit(2)
  }
}
