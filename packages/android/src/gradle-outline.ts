import { t } from '@symup/core/internal'
import { LEFT_OUT, type PreparedScript } from './gradle-text.ts'

/** The statements of a build script that name its variants and their values, and what else seems to. */
export interface Outline {
  /** A script with nothing but these statements. */
  text: string
  /** Why there may be flavors that are not in the text; undefined when there are none. */
  hiddenFlavors?: string
  /** Statements outside of the usual blocks that set one of the fields: field to the block they stand in. */
  elsewhere: ReadonlyMap<string, string>
}

const FLAVORS = 'productFlavors'
const NAME = /^[\w-]+$/
const KEPT_BLOCKS = new Set(['defaultConfig', 'buildTypes', FLAVORS])
/** The block of the application, under the names it has in Groovy and in Kotlin. */
const ANDROID =
  /^(?:android|(?:project\.)?(?:extensions\.)?configure\s*<[\w.\s]*(?:Application|BaseAppModule|App)Extension\s*>\s*(?:\([^)]*\))?)$/
/** Applies to flavors that are there already. */
const FOR_EACH = /^(?:all|configureEach|each|forEach|matching\b.*)$/

/** @param fields names of the values that are wanted. */
export function outlineOf(script: PreparedScript, fields: readonly string[]): Outline {
  const blocks = new Map<string, string[]>()
  const elsewhere = new Map<string, string>()
  const wanted = new Set([...fields, 'namespace', 'dimension', 'flavorDimensions'])
  const path: string[] = []
  const lengths: number[] = []
  let hidden: string | undefined
  const doubt = (why: string) => {
    hidden ??= why
  }
  for (const written of script.text.split('\n')) {
    const line = written.replace(/\b(flavorDimensions)\.(?:add|addAll)\b/, '$1')
    if (line === '}') {
      path.length = lengths.pop() ?? 0
      continue
    }
    const inFlavors = path.length === 2 && isFlavors(path)
    if (line.endsWith('{')) {
      const head = line.slice(0, -1).trim()
      const isForEach = inFlavors && FOR_EACH.test(head)
      if (inFlavors && !isForEach && !NAME.test(head)) doubt(sourceOf(head, script))
      const names = isForEach ? ['*'] : namesOf(head)
      lengths.push(path.length)
      path.push(...names)
      if (mentionsFlavors(head) && !isFlavors(path)) doubt(sourceOf(path.join(' { '), script))
      if (isUsual(path)) blocks.set(keyOf(path), blocks.get(keyOf(path)) ?? [])
      continue
    }
    if (inFlavors) doubt(line === LEFT_OUT ? t`productFlavors inside a condition or a loop` : sourceOf(line, script))
    const [, before = '', word = ''] = /^((?:\w+\.)*)(\w+)(?=[\s(]|$)/.exec(line) ?? []
    if (mentionsFlavors(line) && word !== 'flavorDimensions') doubt(sourceOf(line, script))
    if (!wanted.has(word)) continue
    const named = before.split('.').filter(Boolean)
    const place = named[0] === 'android' ? named : [...path, ...named]
    if (isUsual(place)) blocks.set(keyOf(place), [...(blocks.get(keyOf(place)) ?? []), line.slice(before.length)])
    else if (fields.includes(word) && place[0] !== 'ext') elsewhere.set(word, sourceOf(place[0] ?? word, script))
  }
  if (mentionsFlavors(script.conditional)) doubt(t`productFlavors inside a condition or a loop`)
  return { text: textOf(blocks), ...(hidden !== undefined && { hiddenFlavors: hidden }), elsewhere }
}

function mentionsFlavors(text: string): boolean {
  return /\b(?:productFlavors|flavorDimensions)\b/.test(text)
}

function keyOf(path: readonly string[]): string {
  return path.join(' ')
}

/** The blocks as a script: those of flavors and build types inside of the ones that gather them. */
function textOf(blocks: ReadonlyMap<string, readonly string[]>): string {
  const statements = (key: string) => blocks.get(key) ?? []
  const inner = [...KEPT_BLOCKS].map((name) => {
    const elements = [...blocks.keys()].filter((key) => key.startsWith(`android ${name} `))
    const nested = elements.map((key) => [`${key.split(' ')[2]} {`, ...statements(key), '}'].join('\n'))
    return [`${name} {`, ...statements(`android ${name}`), ...nested, '}'].join('\n')
  })
  return ['android {', ...statements('android'), ...inner, '}'].join('\n')
}

function sourceOf(text: string, { sources }: PreparedScript): string {
  return text.replace(/__string\d+__/g, (key) => sources.get(key) ?? key)
}

/** `android.defaultConfig` are two blocks; Kotlin's way to say `android` is one. */
function namesOf(head: string): string[] {
  if (ANDROID.test(head)) return ['android']
  return /^android(?:\.\w+)+$/.test(head) ? head.split('.') : [head]
}

function isFlavors([first, second]: readonly string[]): boolean {
  return first === 'android' && second === FLAVORS
}

function isUsual(path: readonly string[]): boolean {
  const [first, second, third] = path
  if (first !== 'android' || path.length > 3) return false
  if (second === undefined) return true
  if (!KEPT_BLOCKS.has(second)) return false
  return third === undefined || (second !== 'defaultConfig' && NAME.test(third))
}
