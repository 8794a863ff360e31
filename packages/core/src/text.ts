import { AsyncLocalStorage } from 'node:async_hooks'
import { readdirSync, readFileSync } from 'node:fs'
import { type Catalogue, catalogueOf, type Translations } from './text/catalogue.ts'
import { chooseLanguage, type Language } from './text/language.ts'

export { columnsOf } from './text/columns.ts'
export { chooseLanguage, LANGUAGES } from './text/language.ts'
export { shellWord } from './text/shell-word.ts'

/** Absent in English, which is what the code holds. */
let catalogue: Catalogue | undefined
let loaded: Catalogue | undefined
let isChosen = false
/** Set where a text is for somebody else than who started this process. */
const inEnglish = new AsyncLocalStorage<true>()

/**
 * A text for people, in the language of this process: `` t`The map ${file} has no mappings.` `` is looked up in `zh/*.json` as
 * `The map {0} has no mappings.`. `test/docs/chinese.test.ts` finds every one in the source and fails where Chinese has none.
 */
export function t(parts: TemplateStringsArray, ...values: unknown[]): string {
  const translation = inEnglish.getStore() ? undefined : catalogue?.filled(keyOf(parts), values)
  return translation ?? parts.reduce((before, part, index) => `${before}${values[index - 1]}${part}`)
}

/** Marks a text that is made before the language is known, or elsewhere; whoever shows it says {@link translated}. Its values are `{0}`, `{1}`. */
export function phrase(parts: TemplateStringsArray, ..._values: unknown[]): string {
  return keyOf(parts)
}

/** A finished English text in the language of this process: from a table, from another thread, or from an intake. Unknown ones as they are. */
export function translated(english: string): string {
  return catalogue?.sentence(english) ?? english
}

/** A finished English text in Chinese, whatever the language of this process; undefined where the catalogue has none. */
export function inChinese(english: string): string | undefined {
  loaded ??= catalogueOf(readChinese())
  return loaded.sentence(english)
}

/** What is made within is English, whatever the language of this process: a server's texts are for whoever asks it. */
export function english<T>(make: () => T): T {
  // Only where it makes a difference: once it is used, Node follows every promise of the process.
  return catalogue ? inEnglish.run(true, make) : make()
}

/** The language of what this process prints from now on, whatever the locale says. */
export function setLanguage(language: Language): void {
  isChosen = true
  speak(language)
}

/** The language that the environment asks for, unless one was set. What cannot be understood is reported with the settings. */
export function useLocale(env: NodeJS.ProcessEnv = process.env): void {
  if (!isChosen) speak(chooseLanguage({ env, platform: process.platform }).language)
}

/** Default English. */
export function language(): Language {
  return catalogue ? 'zh' : 'en'
}

function speak(language: Language): void {
  if (language === 'zh') loaded ??= catalogueOf(readChinese())
  catalogue = language === 'zh' ? loaded : undefined
}

/** One file an area, beside `src` and `dist`. */
function readChinese(): Translations {
  const directory = new URL('../zh/', import.meta.url)
  const files = readdirSync(directory).filter((name) => name.endsWith('.json'))
  const areas = files.map((name) => JSON.parse(readFileSync(new URL(name, directory), 'utf8')) as Translations)
  return Object.assign({}, ...areas)
}

function keyOf(parts: readonly string[]): string {
  return parts.reduce((before, part, index) => `${before}{${index - 1}}${part}`)
}
