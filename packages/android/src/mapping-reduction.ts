import { createReadStream, createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'

export interface Reduction {
  trimIndents: boolean
  /** Replacements, keyed by package prefix, such as `androidx.work` or `androidx.work.*`. */
  packageAliases: Readonly<Record<string, string>>
}

/** The maximum length of a line. Lines in mapping files are much shorter. Longer lines are copied unchanged. */
const MAX_LINE = 1024 * 1024

export function reducesAnything({ trimIndents, packageAliases }: Reduction): boolean {
  return trimIndents || Object.keys(packageAliases).length > 0
}

/**
 * Copies a mapping file line by line, using constant memory. Aliases apply only to original names (to the left of `->`) and never to
 * comments. The longest matching prefix is used.
 * @throws a file system error if a file cannot be read or written.
 */
export async function reduceMapping(from: string, to: string, reduction: Reduction): Promise<void> {
  await pipeline(createReadStream(from), lines(reducer(reduction)), createWriteStream(to))
}

export function reducer({ trimIndents, packageAliases }: Reduction): (line: string) => string {
  const aliases = Object.entries(packageAliases)
    .map(([prefix, alias]) => [prefix.replace(/\.\*$/, ''), alias] as const)
    .sort(([a], [b]) => b.length - a.length)
  const names = aliases.map(([prefix]) => prefix.replace(/[.$*+?^()[\]{}|\\]/g, '\\$&'))
  const pattern = names.length === 0 ? undefined : new RegExp(`(?<![\\w.$])(?:${names.join('|')})(?![\\w$])`, 'g')
  const aliasOf = new Map(aliases)
  return (line) => {
    const text = trimIndents ? line.trimStart() : line
    const arrow = text.indexOf('->')
    if (pattern === undefined || arrow === -1 || text.trimStart().startsWith('#')) return text
    return text.slice(0, arrow).replace(pattern, (prefix) => aliasOf.get(prefix) ?? prefix) + text.slice(arrow)
  }
}

function lines(change: (line: string) => string): Transform {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  const take = (text: string, isLast: boolean): string => {
    const parts = (rest + text).split('\n')
    rest = isLast ? '' : (parts.pop() as string)
    let changed = parts.map((line) => `${change(line)}\n`).join('')
    if (isLast) changed = changed.slice(0, -1)
    if (rest.length <= MAX_LINE) return changed
    changed += rest
    rest = ''
    return changed
  }
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, take(decoder.write(chunk), false)),
    flush: (done) => done(null, take(decoder.end(), true)),
  })
}
