import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as bundlers from './index.ts'

const NAMES = Object.keys(bundlers)
/** Those that share a config, or a file of ours. */
const RELATED: Readonly<Record<string, readonly string[]>> = {
  vite: ['rollup', 'rolldown'],
  rollup: ['rolldown'],
  webpack: ['rspack', 'rsbuild'],
}

/** Texts that a user may see: what stands in quotes, but no names of modules, types or identifiers. */
function textsOf(code: string): string[] {
  const bare = code.replace(/^import .*$|^\s*(?:\*|\/\/|\/\*\*).*$|\S+ from '.*$/gm, '')
  return [...bare.matchAll(/'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`/g)].map(([, ...texts]) => texts.find(Boolean) ?? '')
}

it.each(NAMES)('the messages of %s name no other bundler', (name) => {
  const files = readdirSync(import.meta.dirname).filter((file) => /^\w[\w-]*\.ts$/.test(file) && file.startsWith(name))
  const texts = files.flatMap((file) => textsOf(readFileSync(join(import.meta.dirname, file), 'utf8')))
  expect(texts.length).toBeGreaterThan(0)
  const others = NAMES.filter((other) => other !== name && !RELATED[name]?.includes(other))
  // A sentence, or a setting with its value: one word alone is a name in the code.
  const output = texts.filter((text) => /[ :]/.test(text))
  expect(output.filter((text) => others.some((other) => new RegExp(`\\b${other}\\b`, 'i').test(text)))).toEqual([])
})
