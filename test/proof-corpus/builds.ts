import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../support/build-fixture.ts'
import { install } from '../support/install.ts'
import { inputsOf } from './inputs.ts'

const FIXTURE = join(ROOT, 'fixtures/frameworks/corpus')

/** A script of a build and its map, with the name that it has in all variants of the build. */
export interface Pair {
  role: string
  file: string
  script: string
  map: string
}

/** Every file of one output directory, and which of them are scripts with maps. */
export interface Output {
  pairs: Pair[]
  others: { file: string; text: string }[]
}

/** What an app's sources are in a release: another text in the place of one that is there, for some modules. */
export type Release = 'this' | 'edited' | 'next'

/** A line more in three modules, as between two builds of an afternoon. */
const EDITS: readonly (readonly [file: string, from: string, to: string])[] = [
  ['money.ts', 'const whole = ', "if (currency === '') return 'free of charge'\n  const whole = "],
  ['forms.ts', 'const problems = validate', 'console.info(Object.keys(fields).length)\n  const problems = validate'],
  ['report.ts', 'const cart = new Cart()', 'console.info(days)\n  const cart = new Cart()'],
]
/** What a release brings: some code before the rest of every module, and longer names. */
const NEXT = (code: string, name: string) =>
  code
    .replace(/\n\n(?=export|function|const|interface|type|\/\*\*)/, `\n\nexport const ${name}Version = '2.0.0'\n\n`)
    .replace(/\n(\s*)throw new/, `\n$1console.warn('${name}', performance.now())\n$1throw new`)

/** Prepares the corpus's directory: the fixture, with what it needs installed. Answers the names of all builds. */
export async function prepare(cache: string): Promise<{ app: string; names: string[] }> {
  const app = join(cache, 'app')
  mkdirSync(app, { recursive: true })
  for (const entry of readdirSync(FIXTURE))
    if (entry !== 'node_modules') {
      rmSync(join(app, entry), { recursive: true, force: true })
      cpSync(join(FIXTURE, entry), join(app, entry), { recursive: true })
    }
  await install(app)
  const { stdout } = await promisify(execFile)(process.execPath, ['build.mjs', '--list'], { cwd: app })
  return { app, names: JSON.parse(stdout) }
}

/**
 * Builds the app, or finds what was built of the same sources before.
 * @param transform the name of what a careless plugin does to some modules.
 * @throws what the bundler says.
 */
export async function build(
  { app, cache }: { app: string; cache: string },
  name: string,
  { release = 'this', transform = '' }: { release?: Release; transform?: string } = {},
): Promise<Output> {
  const edits = release === 'this' ? '' : hashOf(JSON.stringify([EDITS, String(NEXT)]))
  const slug = `${name}-${release}-${transform}`.replace(/[^\w.]+/g, '-')
  const out = join(cache, 'built', `${slug}-${hashOf(inputsOf(FIXTURE, app, name) + edits)}`)
  if (!existsSync(out)) {
    writeSources(app, release)
    const draft = `${out}.draft`
    try {
      await promisify(execFile)(process.execPath, ['build.mjs', name, draft, transform], { cwd: app, timeout: 300_000 })
    } finally {
      if (release !== 'this') writeSources(app, 'this')
    }
    renameSync(draft, out)
  }
  return readOutput(out)
}

/** What tells what a build reads from what other builds read. */
export const keyOf = (app: string, name: string) => inputsOf(FIXTURE, app, name)

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)

function writeSources(app: string, release: Release): void {
  rmSync(join(app, 'src'), { recursive: true, force: true })
  cpSync(join(FIXTURE, 'src'), join(app, 'src'), { recursive: true })
  if (release === 'this') return
  const logic = join(app, 'src/logic')
  for (const file of readdirSync(logic)) {
    let code = readFileSync(join(logic, file), 'utf8')
    if (release === 'next') code = NEXT(code, file.replace('.ts', ''))
    else for (const [name, from, to] of EDITS) if (name === file) code = code.replace(from, to)
    writeFileSync(join(logic, file), code)
  }
}

function readOutput(directory: string): Output {
  const output: Output = { pairs: [], others: [] }
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()
  for (const file of files) {
    if (!/\.m?js$/.test(file)) continue
    const script = readFileSync(join(directory, file), 'utf8')
    const map = join(directory, `${file}.map`)
    if (!existsSync(map)) output.others.push({ file, text: script })
    else {
      // What tools put between the name and the ending is another for each build.
      const name = file.replace(/[-_.][\w-]{4,10}(?=\.m?js$)/, '')
      const role = name !== file && files.includes(name) ? `${name}, part` : name
      output.pairs.push({ role, file, script, map: readFileSync(map, 'utf8') })
    }
  }
  const roles = output.pairs.map(({ role }) => role)
  if (new Set(roles).size < roles.length) throw new Error(`Several files of a build have one name: ${roles.join(', ')}`)
  return output
}
