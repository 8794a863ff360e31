import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ACCEPTED_ONLY } from '../../packages/core/src/kinds/accepted.ts'
import { KINDS } from '../../packages/core/src/kinds/index.ts'
import { importsOf } from '../support/imports.ts'

// Which file imports which, in all packages. Type-only imports count, but tests do not.

const ROOT = join(import.meta.dirname, '../..')
const PACKAGES = join(ROOT, 'packages')

/** npm name → the packages that it may import, from the table in the design. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  '@symup/core': [],
  '@symup/demangle': [],
  '@symup/symbolicate': ['@symup/core', '@symup/demangle'],
  '@symup/unplugin': ['@symup/core'],
  '@symup/mini-program': ['@symup/core'],
  '@symup/android': ['@symup/core'],
  '@symup/hvigor': ['@symup/core'],
  '@symup/intake': ['@symup/core', '@symup/symbolicate'],
  '@symup/inspector': ['@symup/core', '@symup/intake', '@symup/symbolicate'],
  symup: [
    '@symup/core',
    '@symup/symbolicate',
    '@symup/unplugin',
    '@symup/mini-program',
    '@symup/android',
    '@symup/intake',
  ],
}

/**
 * Core's directories, from top to bottom. A directory imports only from its own level and those below. Files next to
 * the directories count by their name without `.ts`.
 */
const FLOORS: readonly (readonly string[])[] = [
  ['index', 'internal', 'mini-program', 'resolving'],
  ['pipeline'],
  ['kinds', 'proof', 'leaks', 'send', 'transport'],
  ['settings'],
  ['git'],
  ['formats'],
  ['model', 'problems', 'files', 'concurrency', 'early-end', 'event-loop', 'first-above', 'text'],
]

interface Import {
  from: string
  /** The import path as written in the source. */
  specifier: string
}

const shown = (file: string) => relative(PACKAGES, file)

const files = readdirSync(PACKAGES).flatMap((name) => {
  const root = join(PACKAGES, name, 'src')
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => join(root, path))
})
const sources = files.filter((file) => /\.[cm]?tsx?$/.test(file) && !/\.(?:test|fixture|d)\.[cm]?ts$/.test(file))
const known = new Set(sources)
const imports: Import[] = sources.flatMap((from) => importsOf(from).map((specifier) => ({ from, specifier })))

const arrows = new Map<string, string[]>(sources.map((file) => [file, []]))
for (const { from, specifier } of imports) {
  const target = resolve(dirname(from), specifier)
  if (specifier.startsWith('.') && known.has(target)) arrows.get(from)?.push(target)
}

/** Tarjan's algorithm: sets of files that can all reach each other. */
function circles(): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found: string[][] = []
  const connect = (file: string) => {
    index.set(file, index.size)
    low.set(file, index.get(file) as number)
    stack.push(file)
    for (const next of arrows.get(file) ?? []) {
      if (!index.has(next)) connect(next)
      if (stack.includes(next)) low.set(file, Math.min(low.get(file) as number, low.get(next) as number))
    }
    if (low.get(file) !== index.get(file)) return
    const circle = stack.splice(stack.indexOf(file))
    if (circle.length > 1 || arrows.get(file)?.includes(file)) found.push(circle)
  }
  for (const file of sources) if (!index.has(file)) connect(file)
  return found
}

describe('imports in the source code', () => {
  it('finds hundreds of imports, each relative one to an existing file', () => {
    const missing = imports.filter(
      ({ from, specifier }) => /^\..*\.tsx?$/.test(specifier) && !files.includes(resolve(dirname(from), specifier)),
    )
    expect([sources.length > 300, imports.length > 1000, missing]).toEqual([true, true, []])
  })

  it('finds no import cycles', () => {
    const found = circles().map((circle) => circle.map(shown).sort().join(' <-> '))
    expect(found.sort()).toEqual([])
  })

  it('allows imports across packages only as the design permits', () => {
    const wrong = imports.flatMap(({ from, specifier }) => {
      const folder = shown(from).split('/')[0] as string
      const { name } = JSON.parse(readFileSync(join(PACKAGES, folder, 'package.json'), 'utf8')) as { name: string }
      const target = /^(@symup\/[\w-]+|symup)(?:\/|$)/.exec(specifier)?.[1]
      const leaves = specifier.startsWith('.') && shown(resolve(dirname(from), specifier)).split('/')[0] !== folder
      const isAllowed = target === undefined || target === name || MAY_IMPORT[name]?.includes(target)
      return leaves || !isAllowed ? [`${shown(from)}: ${specifier}`] : []
    })
    expect(wrong).toEqual([])
  })

  it('allows imports from another intake room only through its room.ts', () => {
    const rooms = ['symbols', 'oncall', 'inspector', 'test-routes']
    const roomOf = (file: string) => /^intake\/src\/([\w-]+)\//.exec(shown(file))?.[1] ?? ''
    const wrong = [...arrows].flatMap(([from, targets]) => {
      const own = roomOf(from)
      if (own !== 'platform' && !rooms.includes(own)) return []
      return targets
        .filter((to) => rooms.includes(roomOf(to)) && roomOf(to) !== own)
        .filter((to) => own === 'platform' || !to.endsWith('/room.ts'))
        .map((to) => `${shown(from)} -> ${shown(to)}`)
    })
    expect(wrong.sort()).toEqual([])
  })

  it('allows imports down the layers of core, never up', () => {
    const roomOf = (file: string) => /^core\/src\/([\w-]+)/.exec(shown(file))?.[1] ?? ''
    const floorOf = (room: string) => FLOORS.findIndex((rooms) => rooms.includes(room))
    const inCore = [...arrows].filter(([from]) => shown(from).startsWith('core/src/'))
    expect(inCore.map(([from]) => roomOf(from)).filter((room) => floorOf(room) === -1)).toEqual([])
    const up = inCore.flatMap(([from, targets]) =>
      targets.filter((to) => floorOf(roomOf(to)) < floorOf(roomOf(from))).map((to) => `${shown(from)} -> ${shown(to)}`),
    )
    expect(up.sort()).toEqual([])
  })

  it('finds no reference to a single symbol kind, its types, parts or fields outside the kinds', () => {
    const rooms = /^(?:core\/src\/(?:pipeline|proof|git|send|transport|leaks|settings)|cli\/src|unplugin\/src)\//
    const outside = sources.filter((file) => rooms.test(shown(file)))
    // This command passes files from the user's command line to symbolicate.
    const isAllowed = (file: string) => shown(file) === 'cli/src/commands/explain.ts'
    const parts = [...KINDS, ...ACCEPTED_ONLY].flatMap(({ type, parts }) => [
      ...[type, ...parts.required, ...(parts.optional ?? [])],
    ])
    const fields = ['minified_url', 'project_path', 'debug_id', 'bundle_name', 'build_version', 'lib_name']
    // The name `repository` belongs to the part with the commit, not to a kind.
    const names = [...parts, ...fields].filter((name) => !['repository', 'bundle'].includes(name))
    const named = new RegExp(`(?<=['"\`.])(?:${[...new Set(names)].join('|')})\\b`)
    const wrong = outside.flatMap((file) => {
      const [name] = named.exec(readFileSync(file, 'utf8')) ?? []
      return name === undefined || isAllowed(file) ? [] : [`${shown(file)}: ${name}`]
    })
    const kinds = /^core\/src\/kinds\/(?!index\.ts)[\w-]+\/index\.ts$/
    const led = outside.flatMap((from) => arrows.get(from)?.filter((to) => kinds.test(shown(to))) ?? [])
    expect([outside.length > 200, wrong, led]).toEqual([true, [], []])
  })

  it("finds no import of another room in the intake's platform", () => {
    const platform = [...arrows].filter(([from]) => shown(from).startsWith('intake/src/platform/'))
    const out = platform.flatMap(([from, targets]) =>
      targets
        .filter((to) => !shown(to).startsWith('intake/src/platform/'))
        .map((to) => `${shown(from)} -> ${shown(to)}`),
    )
    expect([platform.length > 20, out]).toEqual([true, []])
  })
})
