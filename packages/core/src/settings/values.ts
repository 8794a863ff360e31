import { t } from '../text.ts'
import type { SettingDefinition } from './definition.ts'
import { isExpensiveGlob } from './glob-cost.ts'
import { didYouMean } from './suggest.ts'

/** The parsed value, or a function that creates an error message. The parameter of the function is the subject of the message. */
export type ReadValue = { value: OptionValue } | { flaw: (subject: string) => string }
type OptionValue = string | boolean | number | readonly string[] | Readonly<Record<string, string>>

/** Matches a comma between items. A comma inside braces belongs to a glob: `*.{js,mjs}`. */
const NOT_IN_BRACES = /,(?![^{]*\})/

/**
 * Parses an option's value according to its definition. Numbers, booleans and lists may also be given as strings, because environment
 * variables and Gradle properties are always strings. Error messages never contain a secret.
 */
export function readValue(definition: SettingDefinition, given: unknown): ReadValue {
  const { type, values, range, secret } = definition
  switch (type) {
    case 'boolean':
      if (typeof given === 'boolean') return { value: given }
      if (given === 'true' || given === 'false') return { value: given === 'true' }
      return { flaw: (it) => t`${it} must be true or false, but is ${shown(given, secret)}.` }
    case 'integer': {
      const number = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given
      const [min, max] = range ?? [0, Number.MAX_SAFE_INTEGER]
      if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max)
        return { value: number }
      return { flaw: (it) => t`${it} must be a whole number from ${min} to ${max}, but is ${shown(given, secret)}.` }
    }
    case 'list': {
      if (definition.mayBeBoolean && (given === true || given === 'true')) return { value: ['**'] }
      if (definition.mayBeBoolean && (given === false || given === 'false')) return { value: [] }
      const items: readonly unknown[] =
        typeof given === 'string' ? given.split(NOT_IN_BRACES) : Array.isArray(given) ? given : []
      const texts = items.filter((item) => typeof item === 'string').map((item) => item.trim())
      if (texts.length !== items.length || texts.length === 0 || texts.includes(''))
        return { flaw: (it) => t`${it} must be a list of strings.` }
      const expensive = texts.find(isExpensiveGlob)
      if (expensive === undefined) return { value: texts }
      return { flaw: (it) => t`${it} contains the glob "${expensive}", which has too many wildcards.` }
    }
    case 'map':
      if (definition.mayBeBoolean && typeof given === 'boolean') return { value: given }
      return readMap(definition, given)
    // Functions are not parsed. The caller reads them from the options.
    case 'function':
      return typeof given === 'function'
        ? { value: true }
        : { flaw: (it) => t`${it} must be a function, but is a value of type ${typeof given}.` }
    default:
      return readText(definition, given, values)
  }
}

function readMap({ fields }: SettingDefinition, given: unknown): ReadValue {
  if (!isTextTable(given)) return { flaw: (it) => t`${it} must be an object whose values are strings.` }
  const unknown = fields && Object.keys(given).find((key) => !fields.includes(key))
  if (fields === undefined || unknown === undefined) return { value: given }
  return {
    flaw: (it) =>
      t`${it} contains the unknown field "${unknown}". Allowed fields: ${fields.join(', ')}.` +
      didYouMean(unknown, fields),
  }
}

function isTextTable(given: unknown): given is Readonly<Record<string, string>> {
  const isTable = typeof given === 'object' && given !== null && !Array.isArray(given)
  return isTable && Object.values(given).every((item) => typeof item === 'string')
}

function readText(definition: SettingDefinition, given: unknown, values: readonly string[] | undefined): ReadValue {
  if (typeof given !== 'string') {
    const found = Array.isArray(given) ? t`an array` : t`a value of type ${typeof given}`
    return { flaw: (it) => t`${it} must be a string, but is ${found}.` }
  }
  const text = given.trim()
  if (text === '' && !definition.mayBeEmpty) return { flaw: (it) => t`${it} is empty.` }
  if (/\p{Cc}/u.test(text)) return { flaw: (it) => t`${it} contains a control character or a line break.` }
  // All secrets are sent as header values, which can contain only Latin-1 characters.
  if (definition.secret && /[^ -~\u00a0-\u00ff]/.test(text))
    return { flaw: (it) => t`${it} contains an invalid character, such as an … copied from an example.` }
  if (values && !values.includes(text)) {
    return {
      flaw: (it) => t`${it} must be one of ${values.join(', ')}, but is "${text}".` + didYouMean(text, values),
    }
  }
  return { value: text }
}

function shown(given: unknown, secret: true | undefined): string {
  if (secret || typeof given === 'object') return t`a value of type ${typeof given}`
  return typeof given === 'string' ? `"${given}"` : String(given)
}
