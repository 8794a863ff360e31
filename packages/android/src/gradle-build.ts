import { t } from '@symup/core/text'
import gradleToJs from 'gradle-to-js'
import { androidBlocks, type PreparedScript, prepareScript, withoutConditions } from './gradle-text.ts'

/** The value of a setting in a build script: a literal, or an expression that only Gradle can evaluate. */
export type Value = { literal: string } | { expression: string }

/** The parsed content of a build script. Unusual code is treated as an expression that only Gradle can evaluate. */
export interface GradleBuild {
  flavors: readonly string[]
  /** Code that may create additional flavors, or undefined if the script contains no such code. */
  hiddenFlavors?: string
  /** The names of other scripts in the build that may set a field, keyed by field. */
  otherScripts?: ReadonlyMap<string, string>
  script: PreparedScript
  layers: Record<'defaultConfig' | 'productFlavors' | 'buildTypes', readonly Layer[]>
  namespace?: Value
}

interface Layer {
  name: string
  fields: Readonly<Record<string, unknown>>
}

export const FIELDS = ['applicationId', 'versionName', 'versionCode'] as const
export type FieldName = (typeof FIELDS)[number]

/** The separator between a value and the suffixes from flavors and build types. */
const SEPARATORS: Readonly<Record<FieldName, string | undefined>> = {
  applicationId: '.',
  versionName: '',
  versionCode: undefined,
}
/** Build types that the Android plugin always creates. */
const USUAL_BUILD_TYPES = ['debug', 'release']
const NAME = /^[\w-]+$/
/** Matches calls in a build script that apply to all flavors or build types, such as `all {` and `names.each {`. */
const FOR_EACH = /(?:^|\.)(?:all|configureEach|each|forEach)$/

/** @throws Error if `gradle-to-js` cannot parse the script. */
export async function parseGradleBuild(source: string): Promise<GradleBuild> {
  const script = prepareScript(source)
  const android = block((await gradleToJs.parseText(withoutConditions(androidBlocks(script.text)))).android)
  const productFlavors = layersIn(android.productFlavors)
  const flavors = productFlavors.map(({ name }) => name).filter((name) => NAME.test(name) && !FOR_EACH.test(name))
  return {
    flavors,
    hiddenFlavors: hiddenFlavorsIn(script, android, flavors),
    namespace: valueIn(android.namespace, script),
    script,
    layers: {
      defaultConfig: [{ name: '', fields: block(android.defaultConfig) }],
      productFlavors,
      buildTypes: layersIn(android.buildTypes),
    },
  }
}

export function valueFor(build: GradleBuild, field: FieldName, variant: string): Value | undefined {
  const { layers, script, otherScripts } = build
  const other = otherScripts?.get(field)
  if (other !== undefined) return { expression: t`${field} is also set in ${other}` }
  const parts = partsOf(variant, build)
  const own = (where: keyof GradleBuild['layers'], name: string): Value[] => {
    const matching = layers[where].filter((layer) => FOR_EACH.test(layer.name) || parts.has(layer.name))
    return matching.flatMap(({ fields }) => valueIn(fields[name], script) ?? [])
  }
  const suffix = `${field}Suffix`
  const flavors = own('productFlavors', field)
  const flavorSuffixes = own('productFlavors', suffix)
  const isUnusual = [field, suffix].some((name) => setters(name, script) !== settersIn(name, build))
  const sets = ({ fields }: Layer) => fields[field] !== undefined || fields[suffix] !== undefined
  const isCopied = [layers.productFlavors, layers.buildTypes].some((all) =>
    all.some((it) => parts.has(it.name) && it.fields.initWith && all.some((other) => other !== it && sets(other))),
  )
  // If several flavors set the value, the flavor dimensions determine which value is used.
  if (isUnusual || isCopied || flavors.length > 1 || flavorSuffixes.length > 1)
    return { expression: t`${field} is set in multiple places` }
  const [base] = [
    ...flavors,
    ...own('defaultConfig', field),
    ...(field === 'applicationId' && build.namespace ? [build.namespace] : []),
  ]
  const separator = SEPARATORS[field]
  if (base === undefined || separator === undefined) return base
  return joined([base, ...own('defaultConfig', suffix), ...flavorSuffixes, ...own('buildTypes', suffix)], separator)
}

function joined(parts: readonly Value[], separator: string): Value {
  if (parts.some((part) => 'expression' in part))
    return { expression: parts.map((part) => ('literal' in part ? `"${part.literal}"` : part.expression)).join(' + ') }
  const [first = '', ...rest] = parts.map((part) => ('literal' in part ? part.literal : ''))
  return { literal: rest.reduce((text, part) => text + (part.startsWith(separator) ? '' : separator) + part, first) }
}

/** Returns the parts of a variant. For `freeRelease`, the parts are `free`, `release` and an empty string for the default config. */
function partsOf(variant: string, { layers }: GradleBuild): ReadonlySet<string> {
  const whole = variant.toLowerCase()
  const types = [...USUAL_BUILD_TYPES, ...layers.buildTypes.map(({ name }) => name)]
  const ending = types.filter((it) => whole.endsWith(it.toLowerCase())).sort((a, b) => b.length - a.length)
  const [type = ''] = ending
  const rest = whole.slice(0, whole.length - type.length)
  const names = layers.productFlavors.map(({ name }) => name).filter((name) => NAME.test(name))
  // Flavors that are not visible in the script could change the value.
  const flavors = flavorsIn(rest, names) ?? names.filter((name) => rest.includes(name.toLowerCase()))
  return new Set(['', type, ...flavors])
}

function flavorsIn(text: string, names: readonly string[], deadEnds = new Set<string>()): string[] | undefined {
  if (text === '') return []
  if (deadEnds.has(text)) return undefined
  for (const name of names.filter((it) => text.startsWith(it.toLowerCase()))) {
    const further = flavorsIn(text.slice(name.length), names, deadEnds)
    if (further) return [name, ...further]
  }
  deadEnds.add(text)
  return undefined
}

/** Counts the statements that set a value, including those in conditions, loops and variant outputs (`versionNameOverride = …`). */
function setters(name: string, { text }: PreparedScript): number {
  const setter = `set${name[0]?.toUpperCase()}${name.slice(1)}`
  const set = new RegExp(
    `(?:^|\\)|\\belse\\b|->)[ \\t]*(?:[\\w.?]*\\.)?(?:${setter}|${name}(?:Override)?)(?=[\\s(]|$|\\.set\\()`,
    'gm',
  )
  return text.match(set)?.length ?? 0
}

function settersIn(name: string, { layers }: GradleBuild): number {
  return Object.values(layers)
    .flat()
    .filter(({ fields }) => fields[name] !== undefined).length
}

function hiddenFlavorsIn(
  { text, sources }: PreparedScript,
  android: Record<string, unknown>,
  flavors: readonly string[],
): string | undefined {
  const source = (line: string) => line.replace(/__string\d+__/g, (key) => sources.get(key) ?? key)
  const lines = text.split('\n')
  const mentioned = lines.filter((line) => /\bproductFlavors\b/.test(line))
  const odd = Object.entries(block(android.productFlavors)).find(
    ([name, it]) => typeof it !== 'object' || !NAME.test(name) || !lines.includes(`${name} {`),
  )
  const isPlain = mentioned.length === (android.productFlavors === undefined ? 0 : 1)
  const dimensions = lines.find((line) => /\bflavorDimensions\b/.test(line))
  if (odd || !isPlain) return source(odd?.[0] ?? mentioned.at(-1) ?? '')
  return flavors.length === 0 && (mentioned.length > 0 || dimensions !== undefined)
    ? source(dimensions ?? mentioned[0] ?? '')
    : undefined
}

function layersIn(value: unknown): Layer[] {
  return Object.entries(block(value)).map(([name, fields]) => ({ name, fields: block(fields) }))
}

function valueIn(raw: unknown, { strings, sources }: PreparedScript): Value | undefined {
  if (raw === undefined || raw === null) return undefined
  if (typeof raw === 'object') return { expression: '{ … }' }
  const text = String(raw)
    .trim()
    .replace(/^\((.*)\)$/, '$1')
  const literal = strings.get(text) ?? (/^\d[\d_]*$/.test(text) ? text.replaceAll('_', '') : undefined)
  if (literal !== undefined) return { literal }
  return { expression: text.replace(/__string\d+__/g, (key) => sources.get(key) ?? key) }
}

function block(value: unknown): Record<string, unknown> {
  if (Array.isArray(value)) return Object.assign({}, ...value.map(block))
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
