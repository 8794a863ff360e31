/** A token in generated code that must also be at its original position, because minifiers keep it. */
export interface Token {
  /**
   * `key` is a property's name before its value. `name` is a variable, which may have another name in the original. `inside` is not the
   * start of a token, so no mapping should begin there.
   */
  kind: 'property' | 'key' | 'keyword' | 'text' | 'name' | 'inside'
  word: string
  /** For a name that is a property's value: the property's name. */
  key?: string | undefined
}

const KEY = /[{,]([A-Za-z_$][\w$]+):$/
const MAX_KEY = 48

/** The name of the property whose value begins at an index. */
export function keyBefore(text: string, index: number): string | undefined {
  return text[index - 1] === ':' ? KEY.exec(text.slice(Math.max(0, index - MAX_KEY), index))?.[1] : undefined
}
