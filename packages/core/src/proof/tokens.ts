/** What stands at a place in generated code and must stand at its original too: minifiers leave it as it is. */
export interface Token {
  /**
   * `key` is a property's name before its value; `name` is a variable, which may be called otherwise in the original; `inside` is not the start of a token, where no mapping
   * should begin.
   */
  kind: 'property' | 'key' | 'keyword' | 'text' | 'name' | 'inside'
  word: string
  /** Of a name that is a property's value: the property's name. */
  key?: string | undefined
}

const KEY = /[{,]([A-Za-z_$][\w$]+):$/
const MAX_KEY = 48

/** The name of the property whose value begins at an index. */
export function keyBefore(text: string, index: number): string | undefined {
  return text[index - 1] === ':' ? KEY.exec(text.slice(Math.max(0, index - MAX_KEY), index))?.[1] : undefined
}

/** Whether a word may go on with a character: `[\w$]`. A look into a table, as most places are asked. */
const IS_IN_WORD = Uint8Array.from({ length: 128 }, (_, code) => Number(/[\w$]/.test(String.fromCharCode(code))))

/** Beyond the text there is none. Nothing is read there: V8 would compile anew, and slower, whatever does. */
export function isInWord(text: string, index: number): boolean {
  if (index < 0 || index >= text.length) return false
  const code = text.charCodeAt(index)
  return code < 128 && IS_IN_WORD[code] === 1
}
