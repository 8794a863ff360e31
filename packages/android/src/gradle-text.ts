import { t } from '@symup/core/text'

/**
 * A script that was rewritten for `gradle-to-js`: each statement is on a separate line, comments are removed, and strings are replaced by
 * placeholders. Without this step, `gradle-to-js` ends blocks at braces in strings and comments, and merges all Kotlin blocks such as
 * `create("free") {`.
 */
export interface PreparedScript {
  text: string
  /** Literal strings, keyed by placeholder. Strings that contain `$` are not literals. */
  strings: ReadonlyMap<string, string>
  sources: ReadonlyMap<string, string>
}

/** Matches named blocks in Kotlin, such as `create("free") {` and `"free" {`. */
const NAMING_CALL =
  /(?:\b(?:create|getByName|maybeCreate|register|named)\s*\(\s*(?:name\s*=\s*)?(\w+)\s*(?:,\s*)?\)\s*(?:\.(?:configure|apply)\s*)?|\b(__string\d+__)\s*)\{/g
/** Matches Kotlin blocks such as `val free by creating {`. */
const NAMING_PROPERTY = /\bval\s+(\w+)\s+by\s+(?:creating|getting|registering|existing)\s*\{/g
/** Matches the app's block in Kotlin, such as `configure<ApplicationExtension> {`. */
const ANDROID_BLOCK =
  /^(?:project\.)?(?:extensions\.)?configure\s*<[\w.\s]*(?:Application|BaseAppModule|App)Extension\s*>\s*(?:\([^()]*\)\s*)?\{/gm

export function prepareScript(source: string): PreparedScript {
  const { text, strings, sources } = withoutStrings(source)
  const named = text
    .replace(ANDROID_BLOCK, 'android {')
    .replace(NAMING_PROPERTY, '$1 {')
    .replace(NAMING_CALL, (call, ...keys: string[]) => {
      const name = strings.get(keys[0] ?? keys[1] ?? '')
      return name !== undefined && /^[\w-]+$/.test(name) ? `${name} {` : call
    })
  return { text: oneStatementALine(named), strings, sources }
}

function withoutStrings(source: string) {
  const strings = new Map<string, string>()
  const sources = new Map<string, string>()
  let text = ''
  let at = 0
  while (at < source.length) {
    const rest = source.slice(at, at + 3)
    if (rest.startsWith('//')) at = endOf(source, '\n', at, 0)
    else if (rest.startsWith('/*')) at = endOf(source, '*/', at + 2, 2)
    else if (rest.startsWith("'") || rest.startsWith('"')) {
      const quote = rest === rest[0]?.repeat(3) ? rest : (rest[0] as string)
      const end = endOfString(source, quote, at + quote.length)
      const content = source.slice(at + quote.length, end)
      const key = `__string${sources.size}__`
      text += key
      sources.set(key, quote + content + quote)
      const isTemplate = quote.startsWith('"') && /(?<!\\)\$/.test(content)
      if (!isTemplate) strings.set(key, unescaped(content))
      at = end + quote.length
    } else text += source[at++]
  }
  return { text, strings, sources }
}

function endOf(source: string, end: string, from: number, skipped: number): number {
  const found = source.indexOf(end, from)
  return found === -1 ? source.length : found + skipped
}

/**
 * Finds the end of a string. Expressions such as `${…}` in a string may contain other strings.
 * @returns the index of the closing quote.
 */
function endOfString(source: string, quote: string, from: number): number {
  for (let at = from; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source.startsWith(quote, at)) return at
    else if (quote.length === 1 && source[at] === '\n') return at
    else if (quote.startsWith('"') && source.startsWith('${', at)) at = endOfTemplate(source, at + 2)
  }
  return source.length
}

function endOfTemplate(source: string, from: number): number {
  let depth = 1
  for (let at = from; at < source.length; at++) {
    const char = source[at] as string
    if (char === '{') depth++
    else if (char === '}' && --depth === 0) return at
    else if (char === "'" || char === '"') {
      const quote = source.startsWith(char.repeat(3), at) ? char.repeat(3) : char
      at = endOfString(source, quote, at + quote.length) + quote.length - 1
    }
  }
  return source.length
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

function unescaped(text: string): string {
  return text.replace(/\\(?:u([\da-fA-F]{4})|(.))/gs, (_, code?: string, char?: string) =>
    code === undefined ? (ESCAPES[char as string] ?? (char as string)) : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

function oneStatementALine(text: string): string {
  return withoutBreaks(text)
    .replace(/\{/g, '{\n')
    .replace(/\}/g, '\n}\n')
    .replace(/;/g, '\n')
    .split('\n')
    .map((line) => statement(line.trim()))
    .filter((line) => line !== '')
    .join('\n')
}

/** `gradle-to-js` parses blocks recursively, so very deep nesting would overflow the call stack. */
const MAX_DEPTH = 2000
const CLOSING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/**
 * Joins the lines of lists and arguments, as in `create(\n"free"\n)`.
 * @throws Error if the blocks are nested too deeply.
 */
function withoutBreaks(text: string): string {
  const open: string[] = []
  return text.replace(/[()[\]{}\n]/g, (char) => {
    if (char === '\n') return open.length === 0 || open.at(-1) === '{' ? char : ' '
    const opening = CLOSING[char]
    if (open.length > MAX_DEPTH) throw new Error(t`the blocks are nested too deeply`)
    if (opening === undefined) open.push(char)
    // Brackets in regular expressions may be unbalanced.
    else if (open.includes(opening)) open.length = open.lastIndexOf(opening)
    return char
  })
}

function statement(line: string): string {
  return line
    .replace(/^([\w.]+)\s*=(?![=~])\s*/, '$1 ')
    .replace(/^(\w+)\((\w+)\)$|^(initWith)\s*\((.*)\)$/, '$1$3 $2$4')
}

/** Returns the app's blocks in a prepared script. `gradle-to-js` may not find the end of other blocks, such as `plugins`. */
export function androidBlocks(text: string): string {
  let depth = 0
  let isKept = false
  const kept = text.split('\n').filter((line) => {
    if (depth === 0) isKept = line === 'android {'
    depth = Math.max(0, depth + count(line, '{') - count(line, '}'))
    return isKept
  })
  return kept.join('\n')
}

const CONDITION = /^(?:if|else|for|while|when|switch|try|catch|finally)\b/
/** Matches the first line of a condition or loop without braces. The statement follows on the next line. */
const HEAD = /^(?:(?:else\s+)?(?:if|for)\s*\(.*\)|else)$/

/** Removes conditions and loops, because `gradle-to-js` loses all blocks that follow them. */
export function withoutConditions(text: string): string {
  const kept: string[] = []
  let depth = 0
  let open = 0
  let head = ''
  for (const line of text.split('\n')) {
    const isInside = depth > 0 || open > 0
    if (!isInside && !isHead(head) && !CONDITION.test(line)) {
      head = ''
      kept.push(line)
      continue
    }
    head = open > 0 ? head + line : line
    open += count(line, '(') - count(line, ')')
    depth += count(line, '{') - count(line, '}')
  }
  return kept.join('\n')
}

function isHead(text: string): boolean {
  if (!HEAD.test(text)) return false
  let open = 0
  const end = [...text].findIndex((character) => {
    if (character === '(') open++
    return character === ')' && --open === 0
  })
  return end === -1 || end === text.length - 1
}

function count(text: string, character: string): number {
  return text.split(character).length - 1
}
