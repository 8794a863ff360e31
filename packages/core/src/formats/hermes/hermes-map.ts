import { firstAbove } from '../../first-above.ts'
import { t } from '../../text.ts'

/** The first eight bytes of every Hermes bytecode file. Source: `BytecodeFileFormat.h` in Hermes. */
const MAGIC = Buffer.from('c61fbc03c103191f', 'hex')

export function isHermesBytecode(head: Buffer): boolean {
  return head.subarray(0, MAGIC.length).equals(MAGIC)
}

interface FacebookMap {
  names?: string[]
  sources: (string | null)[]
  sourcesContent?: (string | null)[]
  x_facebook_sources?: unknown[] | null
  /** The sections of the map, which replace its other fields. In React Native 0.87, Metro writes one section per module. */
  sections?: { map: FacebookMap }[]
  x_hermes_function_offsets?: unknown
}

/**
 * Composes the Hermes compiler's map (bytecode → bundle) with Metro's map (bundle → sources), as Metro's `composeSourceMaps` does. Bytecode
 * without a source stays unmapped, and function data from both maps is kept.
 * @throws an error if a map cannot be parsed or decoded.
 */
export async function composeHermesMaps(packager: string, compiler: string): Promise<Buffer> {
  // `@jridgewell/trace-mapping` is loaded here because only Hermes builds need it.
  const { AnyMap, decodedMappings, encodedMappings, TraceMap } = await import('@jridgewell/trace-mapping')
  const metro = parse(packager) as FacebookMap
  const hermes = parse(compiler) as FacebookMap
  const sources = AnyMap(metro as never)
  const bytecode = AnyMap(hermes as never)
  const lines = decodedMappings(sources)
  const mappings = decodedMappings(bytecode).map((segments) =>
    segments.flatMap(([column, , line, inLine], index) => {
      // If several segments have the same position, Metro uses the last one.
      if (segments[index + 1]?.[0] === column) return []
      const found = line === undefined ? undefined : lastBefore(lines[line] ?? [], inLine as number)
      return [[column, ...(found ?? []).slice(1)]]
    }),
  )
  const functions = functionsOf(metro)
  const composed = {
    version: 3 as const,
    sources: sources.sources,
    names: sources.names,
    ...(sources.sourcesContent?.some((content) => content !== null) && { sourcesContent: sources.sourcesContent }),
    ...(functions.some((it) => it !== null) && { x_facebook_sources: functions }),
    ...(sources.ignoreList?.length && { x_google_ignoreList: sources.ignoreList }),
    ...(hermes.x_hermes_function_offsets !== undefined && {
      x_hermes_function_offsets: hermes.x_hermes_function_offsets,
    }),
  }
  const encoded = encodedMappings(new TraceMap({ ...composed, mappings } as never))
  return Buffer.from(JSON.stringify({ ...composed, mappings: encoded }))
}

function functionsOf({ sections, sources = [], x_facebook_sources: own }: Partial<FacebookMap>): unknown[] {
  return sections ? sections.flatMap(({ map }) => functionsOf(map)) : sources.map((_, index) => own?.[index] ?? null)
}

/** Returns the last segment at or before a column. If several segments have the same column, the last one takes precedence, as in Metro. */
function lastBefore(segments: readonly (readonly number[])[], column: number): readonly number[] | undefined {
  return segments[firstAbove(segments.length, (at) => (segments[at]?.[0] as number) > column) - 1]
}

/** Explains why a map cannot belong to a Hermes bundle. A map whose only source is the bundle comes directly from the Hermes compiler. */
export function hermesMapFlaw(text: string, bundleName: string): string | undefined {
  let map: ReadMap
  try {
    map = parse(text) as ReadMap
  } catch {
    return t`The content is not valid JSON.`
  }
  const [only, ...others] = Array.isArray(map.sources) ? map.sources : []
  // The bundle may have been renamed after compilation, so the fields of the map are checked too. Only a composed map contains Metro's
  // function list.
  const isCompilers = map.x_hermes_function_offsets !== undefined && map.x_facebook_sources === undefined
  const isBundle = typeof only === 'string' && (isCompilers || only.split(/[\\/]/).at(-1) === bundleName)
  if (isBundle && others.length === 0 && typeof map.mappings === 'string')
    return t`The source map is from the Hermes compiler, so it points to the bundle instead of the sources.`
  return metroMapFlaw(map)
}

/** Explains why a map does not describe bytecode. All bytecode is mapped as one line, but Metro's own map has many lines or sections. */
function metroMapFlaw({ sources, mappings, sections }: ReadMap): string | undefined {
  // In React Native 0.87, Metro writes one section per module. A composed map has no sections.
  const isMetroMap = Array.isArray(sections)
    ? sections.some(beginsBelow)
    : Array.isArray(sources) && typeof mappings === 'string' && /;[^;]/.test(mappings)
  return isMetroMap
    ? t`The source map is from Metro, so it refers to lines of JavaScript. Hermes bytecode has only one line.`
    : undefined
}

/** Returns a sentence that explains why a map cannot be the Hermes compiler's output. */
export function compilerMapFlaw(text: string): string | undefined {
  return metroMapFlaw(parse(text) as ReadMap)
}

type ReadMap = { sources?: unknown; mappings?: unknown; sections?: unknown } & Omit<Partial<FacebookMap>, 'sources'>

function beginsBelow(section: unknown): boolean {
  const { offset } = (section ?? {}) as { offset?: { line?: unknown } | null }
  return typeof offset?.line === 'number' && offset.line > 0
}

function parse(text: string): object {
  return JSON.parse(text.replace(/^\uFEFF/, '')) as object
}
