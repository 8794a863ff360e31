import { t } from '@symup/core/internal'
import gradleToJs from 'gradle-to-js'
import { outlineOf } from './gradle-outline.ts'
import { type PreparedScript, prepareScript } from './gradle-text.ts'

/** What stands in a build script for one setting: a literal, or the text of an expression that only Gradle can work out. */
export type Value = { literal: string } | { expression: string }

/** What a build script says of the application, as far as it can be read without running it. */
export interface GradleBuild {
  defaultConfig: Fields
  /** In the order of their dimensions, which is the order of their precedence. */
  flavors: Flavor[][]
  buildTypes: ReadonlyMap<string, Fields>
  /** What in the script may make flavors that are not among the above; undefined when nothing does. */
  hiddenFlavors?: string
}

export type FieldName = (typeof FIELDS)[number]
export type Fields = Partial<Record<FieldName, Value>>
type Flavor = { name: string; fields: Fields }

const FIELDS = ['applicationId', 'applicationIdSuffix', 'versionName', 'versionNameSuffix', 'versionCode'] as const

/** What the Android plugin adds where the script names none. */
const USUAL_BUILD_TYPES = ['debug', 'release']

/** @throws Error when `gradle-to-js` cannot parse the script. */
export async function parseGradleBuild(source: string): Promise<GradleBuild> {
  const script = prepareScript(source)
  const outline = outlineOf(script, FIELDS)
  const tree = await gradleToJs.parseText(outline.text)
  const android = block(tree.android)
  const defaults = fieldsOf(android.defaultConfig, script)
  for (const [name, place] of outline.elsewhere)
    defaults[name as FieldName] = { expression: t`${name} is also set in ${place}` }
  const namespace = settingOf(android.namespace, script)
  for (const name of FIELDS) {
    // A value that a condition may replace is not known.
    if (new RegExp(`\\b${name}\\b`).test(script.conditional))
      defaults[name] = { expression: t`${name} inside a condition` }
  }
  const buildTypes = new Map(USUAL_BUILD_TYPES.map((name) => [name, {}]))
  for (const [name, fields] of Object.entries(block(android.buildTypes))) buildTypes.set(name, fieldsOf(fields, script))
  const flavors = byDimension(block(android.productFlavors), script)
  const lacksFlavors = flavors.length === 0 && 'flavorDimensions' in android
  const hiddenFlavors = outline.hiddenFlavors ?? (lacksFlavors ? t`flavorDimensions without flavors` : undefined)
  return {
    defaultConfig: { ...(namespace && { applicationId: namespace }), ...defaults },
    flavors,
    buildTypes,
    ...(hiddenFlavors !== undefined && { hiddenFlavors }),
  }
}

function byDimension(flavors: Record<string, unknown>, script: PreparedScript): Flavor[][] {
  const declared = [...script.text.matchAll(/^flavorDimensions\b(.*)$/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/__string\d+__/g)].map(([key]) => script.strings.get(key) ?? key),
  )
  const dimensions = new Map<string, Flavor[]>(declared.map((name) => [name, []]))
  for (const [name, fields] of Object.entries(flavors)) {
    const { dimension } = block(fields)
    const value = settingOf(dimension, script)
    const key = value && 'literal' in value ? value.literal : (declared[0] ?? '')
    const group = dimensions.get(key) ?? []
    dimensions.set(key, group)
    group.push({ name, fields: fieldsOf(fields, script) })
  }
  return [...dimensions.values()].filter((group) => group.length > 0)
}

function fieldsOf(value: unknown, script: PreparedScript): Fields {
  const fields: Fields = {}
  const source = block(value)
  for (const name of FIELDS) {
    const found = settingOf(source[name], script)
    if (found) fields[name] = found
  }
  return fields
}

function settingOf(raw: unknown, { strings, sources }: PreparedScript): Value | undefined {
  // Where it is given twice, the last one counts.
  const last = Array.isArray(raw) ? raw.at(-1) : raw
  if (last === undefined || last === null) return undefined
  const text = String(last)
    .trim()
    .replace(/^\((.*)\)$/, '$1')
  const literal = strings.get(text) ?? (/^\d[\d_]*$/.test(text) ? text.replaceAll('_', '') : undefined)
  if (literal !== undefined) return { literal }
  if (typeof last === 'object') return { expression: 'a block' }
  return { expression: text.replace(/__string\d+__/g, (key) => sources.get(key) ?? key) }
}

function block(value: unknown): Record<string, unknown> {
  if (Array.isArray(value)) return Object.assign({}, ...value.map(block))
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
