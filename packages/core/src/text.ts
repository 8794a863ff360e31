import { AsyncLocalStorage } from 'node:async_hooks'
import { readdirSync, readFileSync } from 'node:fs'
import { type Catalogue, catalogueOf, type Translations } from './text/catalogue.ts'
import { chooseLanguage, type Language } from './text/language.ts'

export { columnsOf } from './text/columns.ts'
export { chooseLanguage, LANGUAGES } from './text/language.ts'
export { shellWord } from './text/shell-word.ts'

/** The translations. Undefined for English, because the code contains the English texts. */
let catalogue: Catalogue | undefined
let loaded: Catalogue | undefined
let isChosen = false
/** Set while the code creates texts for readers other than the user who runs the process. */
const inEnglish = new AsyncLocalStorage<true>()

/**
 * Returns a message in the user's language. The catalogue `zh/*.json` contains `` t`The map ${file} has no mappings.` `` as `The map {0}
 * has no mappings.` `test/docs/chinese.test.ts` finds every text in the source and fails if its Chinese translation is missing.
 */
export function t(parts: TemplateStringsArray, ...values: unknown[]): string {
  const translation = inEnglish.getStore() ? undefined : catalogue?.filled(keyOf(parts), values)
  return translation ?? parts.reduce((before, part, index) => `${before}${values[index - 1]}${part}`)
}

/**
 * Marks a text that is created before the language is known, or in another process. {@link translated} translates the text later. `{0}` and
 * `{1}` represent the values.
 */
export function phrase(parts: TemplateStringsArray, ..._values: unknown[]): string {
  return keyOf(parts)
}

/** Translates a finished English text, for example from a table, another thread or an intake. Unknown texts stay unchanged. */
export function translated(english: string): string {
  return catalogue?.sentence(english) ?? english
}

/** Returns the Chinese translation of a finished English text, regardless of the user's language. */
export function inChinese(english: string): string | undefined {
  loaded ??= catalogueOf(readChinese())
  return loaded.sentence(english)
}

/** Creates texts in English, because a server's texts are for its clients and not for the user who runs it. */
export function english<T>(make: () => T): T {
  // AsyncLocalStorage is avoided in English processes, because it makes Node track every promise in the process.
  return catalogue ? inEnglish.run(true, make) : make()
}

/** Sets the language of all later output, regardless of the locale. */
export function setLanguage(language: Language): void {
  isChosen = true
  speak(language)
}

/** Uses the environment's language, unless a language has been set. An invalid value is reported when the settings are resolved. */
export function useLocale(env: NodeJS.ProcessEnv = process.env): void {
  if (!isChosen) speak(chooseLanguage({ env, platform: process.platform }).language)
}

export function language(): Language {
  return catalogue ? 'zh' : 'en'
}

function speak(language: Language): void {
  if (language === 'zh') loaded ??= catalogueOf(readChinese())
  catalogue = language === 'zh' ? loaded : undefined
}

/** The directory `zh`, next to `src` and `dist`, contains one file per area. */
function readChinese(): Translations {
  const directory = new URL('../zh/', import.meta.url)
  const files = readdirSync(directory).filter((name) => name.endsWith('.json'))
  const areas = files.map((name) => JSON.parse(readFileSync(new URL(name, directory), 'utf8')) as Translations)
  return Object.assign({}, ...areas)
}

function keyOf(parts: readonly string[]): string {
  return parts.reduce((before, part, index) => `${before}{${index - 1}}${part}`)
}
