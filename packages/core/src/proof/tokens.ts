import { isDigit, isInWord } from '../formats/javascript/characters.ts'
import { IS_BY_COMPILERS, IS_KEYWORD, IS_LOOSE, kindsOf } from '../formats/javascript/words.ts'
import { MAX_KEY, MAX_WORD, MIN_WORD } from './thresholds.ts'

/** A token in generated code that minifiers do not change. The original position must therefore also contain the token. */
export interface Token {
  /**
   * A `key` is a property name that precedes its value. A `name` is a variable, whose original name may differ. `inside` means that the
   * position is not at the start of a token, so no mapping should start there.
   */
  kind: 'property' | 'key' | 'keyword' | 'text' | 'name' | 'inside'
  word: string
  /** If the token is a `name` and the value of a property, the name of that property. */
  key?: string | undefined
}

const [QUOTE, APOSTROPHE, BACKTICK] = [0x22, 0x27, 0x60]
const [DOT, COLON, COMMA, BRACE, DOLLAR, UNDERSCORE] = [0x2e, 0x3a, 0x2c, 0x7b, 0x24, 0x5f]
/** Characters that no serializer escapes in a string. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) => Number(/[\w $:;,.=+*-]/.test(String.fromCharCode(byte))))

export interface Word {
  at: number
  length: number
}

/**
 * Returns the kind of token to compare at an index, or undefined if there is no such token.
 * @param word receives the range of the token's word.
 */
export function tokenAt(text: Buffer, at: number, word: Word): Token['kind'] | undefined {
  const byte = text[at]
  if (byte === QUOTE || byte === APOSTROPHE || byte === BACKTICK) return textAt(text, at + 1, word)
  if (!isInWord(byte) || isDigit(byte)) return undefined
  let behind = at + 1
  while (isInWord(text[behind])) behind++
  const length = behind - at
  word.at = at
  word.length = length
  const before = text[at - 1]
  if (isInWord(before)) return 'inside'
  if (before === DOT && text[at - 2] !== DOT) return isComparable(text, word) ? 'property' : undefined
  // A key follows a brace or a comma. A word between `?` and `:` is not a key.
  if ((before === BRACE || before === COMMA) && text[behind] === COLON)
    return isComparable(text, word) ? 'key' : undefined
  // Most names in minified code have only one letter, so the keyword checks are rarely needed.
  if (length > 1) {
    const kinds = kindsOf(text, at, length)
    // `new Array(` may come from a compiled rest parameter, so it is not compared.
    if (kinds & IS_KEYWORD) return is(text, at, 'new Array(') ? undefined : 'keyword'
    if (kinds & IS_LOOSE || isVariableByCompilers(text, at)) return undefined
  }
  return 'name'
}

function textAt(text: Buffer, from: number, word: Word): 'text' | undefined {
  const stop = Math.min(text.length, from + MAX_WORD)
  let at = from
  while (at < stop && PLAIN[text[at] as number] === 1) at++
  word.at = from
  word.length = at - from
  return word.length < MIN_WORD || (word.length === 10 && is(text, from, 'use strict')) ? undefined : 'text'
}

/**
 * Returns whether the name of a property may be handwritten. Compilers generate names such as `create\w*`, `jsx\w*`, `default\w*`,
 * `_[\w$]*` and `$\w*`.
 */
function isComparable(text: Buffer, { at, length }: Word): boolean {
  if (length < MIN_WORD) return false
  if (text[at] === UNDERSCORE || kindsOf(text, at, length) & IS_BY_COMPILERS) return false
  const isPrefixed = text[at] === DOLLAR || PREFIXES.some((prefix) => is(text, at, prefix) && length >= prefix.length)
  if (!isPrefixed) return true
  for (let next = at + 1; next < at + length; next++) if (text[next] === DOLLAR) return true
  return false
}

const PREFIXES = ['create', 'jsx', 'default']

/** Detects variables such as `_this`, `_key2` and `_class_call_check`, which compilers generate in unminified code. */
function isVariableByCompilers(text: Buffer, at: number): boolean {
  return text[at] === UNDERSCORE && text[at + 1] !== DOLLAR
}

export function is(text: Buffer, at: number, word: string): boolean {
  for (let index = 0; index < word.length; index++) if (text[at + index] !== word.charCodeAt(index)) return false
  return true
}

const KEY = /[{,]([A-Za-z_$][\w$]+):$/

export function keyBefore(text: string, index: number): string | undefined {
  return text[index - 1] === ':' ? KEY.exec(text.slice(Math.max(0, index - MAX_KEY), index))?.[1] : undefined
}
