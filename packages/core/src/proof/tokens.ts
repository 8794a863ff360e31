/** What stands at a place in generated code and must stand at its original too: minifiers leave it as it is. */
export interface Token {
  /** `name` is a variable, which may be called otherwise in the original; `inside` is no begin of a token, where no mapping should begin. */
  kind: 'property' | 'keyword' | 'text' | 'name' | 'inside'
  word: string
}

const WORD = /[A-Za-z_$][\w$]*/y
/** The beginning of a text that no serializer escapes. */
const TEXT = /[\w $:;,.=+*-]{3,16}/y
/** Keywords that neither minifiers nor compilers put in the place of others. */
const KEYWORDS = new Set(['throw', 'new', 'switch', 'catch', 'super', 'instanceof', 'delete'])
/** They are written, left out and exchanged at will. */
const LOOSE =
  /^(?:var|let|const|function|class|extends|return|if|else|for|while|do|break|continue|case|default|try|finally|typeof|void|in|of|this|null|true|false|undefined|async|await|yield|static|get|set|import|export|from|as|with|debugger|arguments|Object|Array|Symbol|require|exports|module)$/
/** Names of properties that compilers write themselves, so that no original needs to have them. */
const WRITTEN_BY_COMPILERS =
  /^(?:apply|bind|call|concat|create\w*|jsx\w*|then|catch|push|join|forEach|wrap|mark|stop|abrupt|sent|next|done|value|label|trys|ops|exports|assign|keys|length|default\w*|defineProperty|enumerable|configurable|writable|hasOwnProperty|toString|prototype|constructor|freeze|resolve|raw|children|className|get|set|_[\w$]*|\$\w*)$/
const MIN_PROPERTY = 3

/** The token that begins at an index; undefined where none does that could be compared. */
export function tokenAt(text: string, index: number): Token | undefined {
  const character = text[index]
  if (character === undefined) return undefined
  if (character === '"' || character === "'" || character === '`') {
    TEXT.lastIndex = index + 1
    const word = TEXT.exec(text)?.[0]
    return word === undefined || word === 'use strict' ? undefined : { kind: 'text', word }
  }
  WORD.lastIndex = index
  const word = WORD.exec(text)?.[0]
  if (word === undefined) return undefined
  const before = text[index - 1]
  if (before !== undefined && /[\w$]/.test(before)) return { kind: 'inside', word }
  const isProperty = before === '.' ? text[index - 2] !== '.' : isKey(text, index, word)
  if (isProperty)
    return word.length < MIN_PROPERTY || WRITTEN_BY_COMPILERS.test(word) ? undefined : { kind: 'property', word }
  if (KEYWORDS.has(word)) return { kind: 'keyword', word }
  return LOOSE.test(word) ? undefined : { kind: 'name', word }
}

/** `{key:` or `,key:`; what stands between `?` and `:` is none. */
function isKey(text: string, index: number, word: string): boolean {
  return text[index + word.length] === ':' && (text[index - 1] === '{' || text[index - 1] === ',')
}
