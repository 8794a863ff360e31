import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'

// symup runs inside other people's builds. It must not change their process, nor import private files of a library.

const RULES = {
  "V8's flags": /\bsetFlagsFromString\b|\bsetHeapSnapshotNearHeapLimit\b|['"](?:node:)?v8['"]/,
  'a private file of a library':
    /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire(?:\.resolve)?\(\s*)['"](?!@symup\/)(?:@[\w.-]+\/)?[a-z][\w.-]*\/(?:lib|dist|src)\//,
  'the environment':
    /\bprocess\.env(?:\.\w+|\[[^\]]+\])?\s*(?:=(?!=)|\?\?=|\|\|=|&&=)|\bdelete process\.env\b|\bassign\(process\.env\b/,
  'a global':
    /\bglobalThis(?:\.\w+|\[[^\]]+\])\s*(?:=(?!=)|\?\?=|\|\|=)|\b(?:assign|defineProperty|defineProperties)\(globalThis\b|\bdelete globalThis\b/,
  'a built-in prototype':
    /\.prototype(?:\.\w+|\[[^\]]+\])\s*(?:=(?!=)|\?\?=)|\b(?:assign|defineProperty|defineProperties)\(\s*\w+\.prototype\b|\bsetPrototypeOf\(/,
} as const

/** Code lines that are allowed to break the rules. */
const ALLOWED = [
  // The command changes its own process before it loads code that reads this variable.
  "if (args.includes('--no-color')) process.env.NO_COLOR = '1'",
  // uni-app has no other switch for maps. A user who adds the plugin wants maps.
  "process.env.UNI_APP_SOURCEMAP ??= 'true'",
]

const isProductCode = (name: string) => /\.[cm]?[jt]sx?$/.test(name) && !/\.(?:test|fixture)\.|\.d\.ts$/.test(name)

const files = readdirSync(join(ROOT, 'packages')).flatMap((name) => {
  const root = join(ROOT, 'packages', name, 'src')
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(isProductCode)
    .map((path) => join(root, path))
})

it.each(Object.keys(RULES) as (keyof typeof RULES)[])('does not touch %s in product code', (rule) => {
  expect(files.length).toBeGreaterThan(300)
  const found = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        RULES[rule].test(line) && !ALLOWED.includes(line.trim())
          ? [`${file.slice(ROOT.length)}:${index + 1}: ${line.trim()}`]
          : [],
      ),
  )
  expect(found).toEqual([])
})
