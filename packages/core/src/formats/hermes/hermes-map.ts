import type { SourceMapInput } from '@jridgewell/remapping'

/** The first eight bytes of every Hermes bytecode file. Source: `BytecodeFileFormat.h` of Hermes. */
const MAGIC = Buffer.from('c61fbc03c103191f', 'hex')

export function isHermesBytecode(head: Buffer): boolean {
  return head.subarray(0, MAGIC.length).equals(MAGIC)
}

/**
 * Leads the Hermes compiler's map (bytecode → bundle) through Metro's (bundle → sources), as React Native's `compose-source-maps.js` does.
 * @throws what cannot be parsed or decoded.
 */
export async function composeHermesMaps(packager: string, compiler: string): Promise<Buffer> {
  // Loaded when needed: other builds never do this.
  const { default: remapping } = await import('@jridgewell/remapping')
  const metro = parse(packager)
  const composed = remapping(parse(compiler), (_, { depth }) => (depth === 1 ? metro : null))
  return Buffer.from(composed.toString())
}

/**
 * Why a map cannot be the one of a Hermes bundle, as the end of a sentence. Bytecode has one long line, so Metro's own map shows in its many
 * lines; the compiler's in its only source, the bundle.
 */
export function hermesMapFlaw(text: string, bundleName: string): string | undefined {
  let map: { sources?: unknown; mappings?: unknown }
  try {
    map = parse(text) as typeof map
  } catch {
    return 'is not JSON'
  }
  const { sources, mappings } = map
  if (typeof mappings !== 'string' || !Array.isArray(sources)) return undefined // An indexed map says nothing about it.
  const [only] = sources
  if (sources.length === 1 && typeof only === 'string' && only.split(/[\\/]/).at(-1) === bundleName)
    return "is the Hermes compiler's: it leads to the bundle, not to the sources"
  return /;[^;]/.test(mappings) ? "is Metro's: it counts lines of JavaScript, and bytecode has only one" : undefined
}

function parse(text: string): SourceMapInput & object {
  return JSON.parse(text.replace(/^\uFEFF/, '')) as SourceMapInput & object
}
