import { AsyncLocalStorage } from 'node:async_hooks'
import { readdirSync, readFileSync } from 'node:fs'
import { type Catalogue, catalogueOf, type Translations } from './text/catalogue.ts'
import { chooseLanguage, type Language } from './text/language.ts'

export { columnsOf } from './text/columns.ts'
export { chooseLanguage, LANGUAGES } from './text/language.ts'
export { shellWord } from './text/shell-word.ts'

/** The translations. Undefined for English, because the source code contains the English messages. */
let catalogue: Catalogue | undefined
let loaded: Catalogue | undefined
let isChosen = false
/** Set while generating messages for someone other than the local user, such as the clients of a server. */
const inEnglish = new AsyncLocalStorage<true>()

/**
 * Returns a message in the user's language. For example, `` t`The map ${file} has no mappings.` `` has the key `The map {0} has no
 * mappings.` in the catalog (`zh/*.json`). `test/docs/chinese.test.ts` fails if a message in the source code has no Chinese translation.
 */
export function t(parts: TemplateStringsArray, ...values: unknown[]): string {
  const translation = inEnglish.getStore() ? undefined : catalogue?.filled(keyOf(parts), values)
  return translation ?? parts.reduce((before, part, index) => `${before}${values[index - 1]}${part}`)
}

/**
 * Marks a message that is created before the language is known, or in another process. {@link translated} translates the message later.
 * `{0}` and `{1}` represent the values.
 */
export function phrase(parts: TemplateStringsArray, ..._values: unknown[]): string {
  return keyOf(parts)
}

/** Translates a complete English message, for example from a table, another thread or an intake. Unknown messages stay unchanged. */
export function translated(english: string): string {
  return catalogue?.sentence(english) ?? english
}

/** Returns the Chinese translation of a complete English message, regardless of the user's language. */
export function inChinese(english: string): string | undefined {
  loaded ??= catalogueOf(readChinese())
  return loaded.sentence(english)
}

/** Creates messages in English, because a server's messages are for its clients and not for the user who runs the server. */
export function english<T>(make: () => T): T {
  // AsyncLocalStorage makes Node track every promise, so it is used only if the language is not English.
  return catalogue ? inEnglish.run(true, make) : make()
}

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
