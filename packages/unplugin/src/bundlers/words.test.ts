import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as bundlers from './index.ts'

const NAMES = Object.keys(bundlers)
/** Bundlers that share a config or one of our files. */
const RELATED: Readonly<Record<string, readonly string[]>> = {
  vite: ['rollup', 'rolldown'],
  rollup: ['rolldown'],
  webpack: ['rspack', 'rsbuild'],
}

/** Texts that a user may see: quoted text, without names of modules, types or identifiers. */
function textsOf(code: string): string[] {
  const bare = code.replace(/^import .*$|^\s*(?:\*|\/\/|\/\*\*).*$|\S+ from '.*$/gm, '')
  return [...bare.matchAll(/'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`/g)].map(([, ...texts]) => texts.find(Boolean) ?? '')
}

it.each(NAMES)('names no other bundler in messages for %s', (name) => {
  const files = readdirSync(import.meta.dirname).filter((file) => /^\w[\w-]*\.ts$/.test(file) && file.startsWith(name))
  const texts = files.flatMap((file) => textsOf(readFileSync(join(import.meta.dirname, file), 'utf8')))
  expect(texts.length).toBeGreaterThan(0)
  const others = NAMES.filter((other) => other !== name && !RELATED[name]?.includes(other))
  // Sentences, and settings with a value. A single word is a name in the code.
  const output = texts.filter((text) => /[ :]/.test(text))
  expect(output.filter((text) => others.some((other) => new RegExp(`\\b${other}\\b`, 'i').test(text)))).toEqual([])
})
