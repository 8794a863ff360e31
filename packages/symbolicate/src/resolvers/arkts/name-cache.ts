import { BundleError, parseJson } from './map-bundle.ts'

/** The content of a `nameCache.json` file: the names that the obfuscator replaced. */
export interface NameCache {
  /**
   * Returns the original name of the function at a line in an original file.
   * @param obfuscated the name of the function, as it appears in the stack.
   */
  nameAt(source: string, line: number, obfuscated: string): string | undefined
}

interface NamedRange {
  name: string
  obfuscated: string
  from: number
  to: number
}

type Table = Record<string, unknown>

/** @throws BundleError if the text is not a JSON object. */
export function readNameCache(bytes: Uint8Array): NameCache {
  const parsed = parseJson(bytes)
  if (parsed === undefined) throw new BundleError('The name cache is not valid JSON.')
  const files = tableOf(parsed)
  if (!files) throw new BundleError('The name cache is not a JSON object.')
  const ranges = new Map<string, NamedRange[]>()
  // Older name caches contain one table for all files, without line numbers.
  const everywhere = originals(tableOf(files.IdentifierCache), tableOf(files.PropertyCache))
  return {
    nameAt(source, line, obfuscated) {
      const known = ranges.get(source) ?? rangesOf(tableOf(files[source]))
      ranges.set(source, known)
      const holding = known.filter(({ from, to }) => from <= line && line <= to)
      const named = holding.filter((range) => range.obfuscated === obfuscated)
      // Unnamed functions have no entries, so any range that contains the line belongs to another function.
      const candidates = named.length > 0 ? named : isAnonymous(obfuscated) ? [] : holding
      const smallest = candidates.reduce<NamedRange | undefined>(
        (best, range) => (best === undefined || range.to - range.from < best.to - best.from ? range : best),
        undefined,
      )
      return smallest?.name ?? only(everywhere.get(obfuscated))
    },
  }
}

function isAnonymous(name: string): boolean {
  return name === '' || name === 'anonymous' || name.startsWith('func_main')
}

/**
 * The keys of methods look like `name:from:to`, and the keys of functions look like `scope#name:from:to`. Entries without line numbers are
 * variables or types.
 */
function rangesOf(file: Table | undefined): NamedRange[] {
  const entries = [tableOf(file?.MemberMethodCache), tableOf(file?.IdentifierCache)].flatMap((table) =>
    Object.entries(table ?? {}),
  )
  return entries.flatMap(([key, obfuscated]) => {
    const match = /^(.*):(\d{1,9}):(\d{1,9})$/.exec(key)
    if (!match || typeof obfuscated !== 'string') return []
    return { name: nameIn(match[1] as string), obfuscated, from: Number(match[2]), to: Number(match[3]) }
  })
}

/** Returns `inner` for `Outer#inner`. */
function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('#') + 1)
}

function originals(...tables: (Table | undefined)[]): Map<unknown, Set<string>> {
  const found = new Map<unknown, Set<string>>()
  for (const [key, obfuscated] of tables.flatMap((table) => Object.entries(table ?? {}))) {
    const names = found.get(obfuscated) ?? new Set()
    found.set(obfuscated, names.add(nameIn(key.replace(/:\d+:\d+$/, ''))))
  }
  return found
}

function only(names: ReadonlySet<string> | undefined): string | undefined {
  return names?.size === 1 ? [...names][0] : undefined
}

function tableOf(value: unknown): Table | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Table) : undefined
}
