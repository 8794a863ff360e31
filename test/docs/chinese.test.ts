import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { PROBLEMS } from '@symup/core'
import { REASONS } from '@symup/symbolicate/internal'
import { describe, expect, it } from 'vitest'
import { flagsShown } from '../../packages/cli/src/flags.ts'
import { programOf } from '../../packages/cli/src/program.ts'
import { englishIn } from '../support/english.ts'
import { type SourceText, textsOf } from '../support/texts.ts'

// Every text that a user can see is a key in the Chinese catalogue, so that no output is only half translated.

const PACKAGES = join(import.meta.dirname, '../../packages')
const CATALOGUE = join(PACKAGES, 'core/zh')

const areas = readdirSync(CATALOGUE).map(
  (name) => [name, JSON.parse(readFileSync(join(CATALOGUE, name), 'utf8')) as Record<string, string>] as const,
)
const chinese: Readonly<Record<string, string>> = Object.assign({}, ...areas.map(([, texts]) => texts))

/**
 * Packages whose texts people see. The intake's texts are part of its API, except those of `symup intake import`. The
 * inspector page has its own catalogue.
 */
const SHOWN = ['core', 'symbolicate', 'unplugin', 'mini-program', 'android', 'hvigor', 'cli']

const files = SHOWN.flatMap((name) =>
  readdirSync(join(PACKAGES, name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(?:test|fixture|d)\.ts$/.test(file))
    .map((file) => join(PACKAGES, name, 'src', file)),
)
  .concat(join(PACKAGES, 'intake/src/symbols/store/export-import.ts'))
  .map((file) => ({ file: relative(PACKAGES, file), texts: textsOf(file) }))

const isSymbolicate = (file: string) => file.startsWith('symbolicate/')

/** Text with at least two English words is more than a name. */
const PROSE = /[A-Za-z]{2,}[,;:)']? \(?[a-z{“"]|\}[,;:)]? [a-z]{2,}|[a-z]{2,}:? \{|'s [a-z]/

/**
 * Files in which English is not display text, or in which something else translates it: command lines, code and names,
 * requests, the intake's responses, descriptions that the help translates, and texts that only the documentation shows.
 */
const NO_TEXT: readonly RegExp[] = [
  /^core\/src\/(?:formats\/source-map\/text|settings\/(?:definitions|config-schema|other-uploaders)|pipeline\/(?:gate|staging)|git\/ci-variables|proof\/(?:own-sources|tokens)|send\/(?:compress|deflater|multipart))\.ts$/,
  /^core\/src\/kinds\/(?:accepted|received|file-content|kind|android)\.ts$|^core\/src\/kinds\/[\w-]+\/index\.ts$/,
  /^core\/src\/problems\//,
  /^symbolicate\/src\/(?:events\/|pool\/(?:lane\.|worker)|resolvers\/javascript\/(?:function-names|parse-stack)\.ts)/,
  /^android\/src\/companion\.ts$|^unplugin\/src\/lost-maps\.ts$/,
  /^cli\/src\/(?:register\/|schemas|foreign(?:-table)?\.ts|commands\/completion|init\/(?:edit-config|splice)|program|flags\.ts)/,
]
const NO_TEXT_KEYS: readonly RegExp[] = [
  /^(?:npx |symup[ (]| {2}--| {2}export |\.\/gradlew|flutter build|hvigorw|apply from|import[ (]|const |plugins: |chainWebpack: |generateWebpackConfig\(|<meta |git rev-parse|git config|Basic |multipart|Proxy Authentication|use strict|new \()/,
  /^(?:title=symup|symup intake listening|symup sub-packages|at \{0\}|DNS|TCP|TLS|\(address at|android \{|> hvigor |symup: \{|environment \{ SYMUP)/,
  /^(?:text|source|functions|block) \{0\}$|^left out$|^\{0\} ms$|^Bundle React Native code and images$|^\. Did you mean \$1/,
  /^\w+: (?:true|false)$|(?:hidden|sourcemap): |[Ss]ource[Mm]ap(?:s|\.js)?: |^[\w .]+ \(Gradle\)$/,
]
const NO_TEXT_ROLES =
  /^(?:includes|startsWith|endsWith|indexOf|test|split|time|[!=]==|case|key|member|new (?:TypeError|RegExp)|tapPromise|id:|name:)$/

const isText = ({ key, role }: SourceText) =>
  PROSE.test(key) && !NO_TEXT_ROLES.test(role) && !NO_TEXT_KEYS.some((pattern) => pattern.test(key))

const tagged = files.flatMap(({ file, texts }) =>
  texts.filter(({ tag }) => tag === 't' || tag === 'phrase').map((text) => ({ ...text, file })),
)
/** Symbolicate returns English text, over the network and from threads. The program that shows the result translates it. */
const reasons = files.filter(({ file }) => isSymbolicate(file) && !NO_TEXT.some((pattern) => pattern.test(file)))
const plain = reasons.flatMap(({ file, texts }) => texts.filter(isText).map((text) => ({ ...text, file })))

const tables = [
  ...Object.values(PROBLEMS).flatMap(({ cause, fix }) => [cause, fix]),
  ...Object.values(REASONS).flatMap(({ cause, fix }) => [cause, fix]),
  ...helpTexts(programOf('1.0.0', () => undefined)),
  ...[...flagsShown('usual'), ...flagsShown('further')].map(({ description }) => description),
].filter((text) => text !== '')

function helpTexts(command: ReturnType<typeof programOf>): string[] {
  const options = command.options.filter(({ hidden }) => !hidden)
  return [
    command.description(),
    ...options.map(({ description }) => description),
    ...command.registeredArguments.map(({ description }) => description),
    ...command.commands.flatMap((it) => helpTexts(it)),
  ]
}

/** The texts in the Gradle script itself. */
const script = readFileSync(join(PACKAGES, 'android/symup.gradle'), 'utf8')
const gradle = [...script.matchAll(/SymupText\.of\((['"])(.*?)\1[,)]/g)].map(([, , key = '']) => key)

const wanted = new Set([...tagged, ...plain].map(({ key }) => key).concat(tables, gradle, 'display help for command'))

const valuesOf = (text: string) => [...text.matchAll(/\{(\d+)\}/g)].map(([, index]) => Number(index))

describe('the Chinese translation', () => {
  it('checks every text in the code', () => {
    expect([files.length > 300, tagged.length > 700, plain.length > 100, tables.length > 300]).toEqual([
      true,
      true,
      true,
      true,
    ])
  })

  it('translates every text of the Gradle script', () => {
    expect(gradle.length).toBeGreaterThan(8)
    const unmarked = [...script.matchAll(/(?:GradleException\(|logger\.\w+\(|description = )"[^"]*\w+ \w+ \w+/g)]
    expect(unmarked.filter(([text]) => !text.includes('SymupText.of'))).toEqual([])
  })

  it('translates every text that a user can see', () => {
    expect([...wanted].filter((key) => chinese[key] === undefined)).toEqual([])
  })

  it('translates no unused text', () => {
    expect(Object.keys(chinese).filter((key) => !wanted.has(key))).toEqual([])
  })

  it('translates each text once', () => {
    const keys = areas.flatMap(([, texts]) => Object.keys(texts))
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
  })

  it('keeps the values of each text, except one that only English grammar needs', () => {
    const grammar = new Map<string, Set<number>>()
    for (const { key, grammar: own } of [...tagged, ...plain])
      grammar.set(key, new Set([...(grammar.get(key) ?? own)].filter((it) => own.includes(it))))
    const wrong = Object.entries(chinese).filter(([key, text]) => {
      const has = new Set(valuesOf(text))
      const needed = valuesOf(key).filter((value) => !grammar.get(key)?.has(value))
      return needed.some((value) => !has.has(value)) || [...has].some((value) => !valuesOf(key).includes(value))
    })
    expect(wrong.map(([key, text]) => `${key} → ${text}`)).toEqual([])
  })

  it('follows Chinese typography: Chinese punctuation, and a space between Chinese and Latin letters', () => {
    const unlike = Object.values(chinese).filter((text) => {
      const bare = text.replace(/`[^`]*`/g, 'x')
      return (
        /[\u4e00-\u9fff][,;?!](?:\s|$)|[\u4e00-\u9fff]:(?:\s|$)|[\u4e00-\u9fff]\.(?:\s|$)/.test(bare) ||
        /[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u4e00-\u9fff]/.test(bare)
      )
    })
    expect(unlike).toEqual([])
  })

  it('uses no English words', () => {
    expect(Object.values(chinese).filter((text) => englishIn(text).length > 0)).toEqual([])
  })

  it('never mixes translations with untranslated English text', () => {
    const own = files.filter(({ file }) => !isSymbolicate(file) && !NO_TEXT.some((pattern) => pattern.test(file)))
    const untagged = own.flatMap(({ file, texts }) =>
      texts.filter((text) => text.tag === undefined && isText(text)).map(({ key }) => `${file}: ${key}`),
    )
    expect(untagged).toEqual([])
  })
})
