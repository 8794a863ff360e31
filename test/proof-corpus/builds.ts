import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../support/build-fixture.ts'
import { install } from '../support/install.ts'
import { inputsOf } from './inputs.ts'

const FIXTURE = join(ROOT, 'fixtures/frameworks/corpus')

/** A script of a build and its map, with a name that is the same in all variants of the build. */
export interface Pair {
  role: string
  file: string
  script: string
  map: string
}

/** Every file of one output directory, split into scripts with maps and other files. */
export interface Output {
  pairs: Pair[]
  others: { file: string; text: string }[]
}

/** A version of the app's sources: unchanged, with a few edited lines, or with changes to every module. */
export type Release = 'this' | 'edited' | 'next'

/** An additional line in each of three modules, like the difference between two builds on the same day. */
const EDITS: readonly (readonly [file: string, from: string, to: string])[] = [
  ['money.ts', 'const whole = ', "if (currency === '') return 'free of charge'\n  const whole = "],
  ['forms.ts', 'const problems = validate', 'console.info(Object.keys(fields).length)\n  const problems = validate'],
  ['report.ts', 'const cart = new Cart()', 'console.info(days)\n  const cart = new Cart()'],
]
/** Changes of a new release: additional code near the start of every module, and a call before each module's first `throw`. */
const NEXT = (code: string, name: string) =>
  code
    .replace(/\n\n(?=export|function|const|interface|type|\/\*\*)/, `\n\nexport const ${name}Version = '2.0.0'\n\n`)
    .replace(/\n(\s*)throw new/, `\n$1console.warn('${name}', performance.now())\n$1throw new`)

/**
 * Copies the fixture to the corpus directory and installs its packages.
 * @returns the names of all builds.
 */
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
 * Builds the app, or reuses an earlier build of the same sources.
 * @param transform name of a careless plugin that changes some modules. Default: none.
 * @throws the bundler's error.
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

/** Identifies the inputs of a build. */
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
      // The part between the name and the extension differs between builds.
      const name = file.replace(/[-_.][\w-]{4,10}(?=\.m?js$)/, '')
      const role = name !== file && files.includes(name) ? `${name}, part` : name
      output.pairs.push({ role, file, script, map: readFileSync(map, 'utf8') })
    }
  }
  const roles = output.pairs.map(({ role }) => role)
  if (new Set(roles).size < roles.length) throw new Error(`Several files of a build have one name: ${roles.join(', ')}`)
  return output
}
