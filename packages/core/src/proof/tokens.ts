/** What stands at a place in generated code and must stand at its original too: minifiers leave it as it is. */
export interface Token {
  /**
   * `key` is a property's name before its value; `name` is a variable, which may be called otherwise in the original; `inside` is not a begin of a token, where no mapping
   * should begin.
   */
  kind: 'property' | 'key' | 'keyword' | 'text' | 'name' | 'inside'
  word: string
  /** Of a name that is a property's value: the property's name. */
  key?: string | undefined
}

/** The beginning of a text that no serializer escapes. */
const TEXT = /[\w $:;,.=+*-]{3,16}/y
/** Keywords that neither minifiers nor compilers put in the place of others. */
const KEYWORDS = new Set(['throw', 'new', 'switch', 'catch', 'super', 'instanceof', 'delete'])
/** They are written, left out and exchanged at will. */
const LOOSE = new Set(
  'var let const function class extends return if else for while do break continue case default try finally typeof void in of this null true false undefined async await yield static get set import export from as with debugger arguments Object Array Symbol require exports module'.split(
    ' ',
  ),
)
/** Names of properties that compilers write themselves, so that no original needs to have them. */
const WRITTEN_BY_COMPILERS = new Set(
  'apply bind call concat from isArray then catch push join forEach wrap mark stop abrupt return sent next done value label trys ops exports assign keys length defineProperty enumerable configurable writable hasOwnProperty toString prototype constructor freeze resolve raw children className key get set'.split(
    ' ',
  ),
)
const WRITTEN_BY_COMPILERS_TOO = /^(?:create\w*|jsx\w*|default\w*|_[\w$]*|\$\w*)$/
/** What they make of rest parameters. */
const NEW_ARRAY = 'new Array('
const MIN_PROPERTY = 3
const KEY = /[{,]([A-Za-z_$][\w$]+):$/
const MAX_KEY = 48
/** Whether a word may go on with a character: `[\w$]`. A look into a table, as every mapping of the app's own code is asked. */
const IS_IN_WORD = Uint8Array.from({ length: 128 }, (_, code) => Number(/[\w$]/.test(String.fromCharCode(code))))
const [ZERO, NINE, DOLLAR, UNDERSCORE] = [0x30, 0x39, 0x24, 0x5f]

/** The token that begins at an index; undefined where none does that could be compared. */
export function tokenAt(text: string, index: number): Token | undefined {
  if (index >= text.length) return undefined
  const character = text[index]
  if (character === '"' || character === "'" || character === '`') {
    TEXT.lastIndex = index + 1
    const word = TEXT.exec(text)?.[0]
    return word === undefined || word === 'use strict' ? undefined : tokenOf('text', word)
  }
  if (!beginsWord(text, index)) return undefined
  const word = text.slice(index, wordEnd(text, index))
  const before = index > 0 ? text[index - 1] : ''
  if (isInWord(text, index - 1)) return tokenOf('inside', word)
  const isSpread = index > 1 && text[index - 2] === '.'
  const kind = before !== '.' ? isKey(text, index, word) && 'key' : !isSpread && 'property'
  if (kind) return word.length < MIN_PROPERTY || isByCompilers(word) ? undefined : tokenOf(kind, word)
  // Most names in minified code have one letter.
  if (word.length > 1) {
    if (KEYWORDS.has(word)) return text.startsWith(NEW_ARRAY, index) ? undefined : tokenOf('keyword', word)
    if (LOOSE.has(word) || isVariableByCompilers(word)) return undefined
  }
  const key = before === ':' ? KEY.exec(text.slice(Math.max(0, index - MAX_KEY), index))?.[1] : undefined
  return tokenOf('name', word, key)
}

/** All of one shape, as there are very many: what is compiled for one serves all. */
export function tokenOf(kind: Token['kind'], word: string, key?: string): Token {
  return { kind, word, key }
}

/** `{key:` or `,key:`; what stands between `?` and `:` is none. */
function isKey(text: string, index: number, word: string): boolean {
  const end = index + word.length
  return index > 0 && end < text.length && text[end] === ':' && (text[index - 1] === '{' || text[index - 1] === ',')
}

function isByCompilers(word: string): boolean {
  return WRITTEN_BY_COMPILERS.has(word) || WRITTEN_BY_COMPILERS_TOO.test(word)
}

/** Where no minifier renames them: `_this`, `_key2`, `_class_call_check`. */
function isVariableByCompilers(word: string): boolean {
  return word.charCodeAt(0) === UNDERSCORE && word.charCodeAt(1) !== DOLLAR
}

/** Beyond the text there is none. Nothing is read there: V8 would compile anew, and slower, whatever does. */
export function isInWord(text: string, index: number): boolean {
  if (index < 0 || index >= text.length) return false
  const code = text.charCodeAt(index)
  return code < 128 && IS_IN_WORD[code] === 1
}

function beginsWord(text: string, index: number): boolean {
  if (!isInWord(text, index)) return false
  const code = text.charCodeAt(index)
  return code < ZERO || code > NINE
}

function wordEnd(text: string, from: number): number {
  let end = from + 1
  while (isInWord(text, end)) end++
  return end
}
