/** A call in a source, as offsets in its text. */
export interface Call {
  /** Where its expression begins, including a preceding `throw`, `new`, `return` and the like. */
  start: number
  /** Where its callee begins. */
  callee: number
  /** The parenthesis, or the start of the template. */
  open: number
  /** Where the first argument begins. */
  inside: number
  end: number
  /** The last name of the callee. */
  name: string
  isNew: boolean
}

/** A text, split into lines. */
export class Text {
  readonly whole: string
  readonly #starts: number[]

  constructor(whole: string) {
    this.whole = whole
    this.#starts = [0, ...[...whole.matchAll(/\n/g)].map(({ index }) => index + 1)]
  }

  offset(line: number, column: number): number {
    return Math.min(
      (this.#starts[line] ?? this.whole.length) + column,
      (this.#starts[line + 1] ?? this.whole.length + 1) - 1,
    )
  }

  /** The line number of an offset. */
  lineAt(offset: number): number {
    let [low, high] = [0, this.#starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle] as number) <= offset) low = middle
      else high = middle - 1
    }
    return low
  }

  line(number: number): string {
    return this.whole.slice(this.#starts[number], (this.#starts[number + 1] ?? this.whole.length + 1) - 1)
  }

  /** The line of an offset, with a mark before the offset. */
  around(offset: number): string {
    const line = this.lineAt(offset)
    const column = offset - (this.#starts[line] as number)
    const text = this.line(line)
    return `${line + 1}: ${text.slice(0, column)}»${text.slice(column)}`.trim()
  }
}

const WORD = /[\p{ID_Continue}$#@]/u
const NO_CALLEE =
  /^(?:if|for|while|switch|catch|function|return|typeof|await|yield|throw|in|of|with|void|delete|do|else|case|async|get|set|new|unless|and|or|is|isnt|not|import|export|from|then|by|when|class|extends|const|let|var)$/
/** A name before a possible argument. */
const BARE =
  /(\bnew\s+)?(?<!\w)([A-Za-z_@](?:\w|\.\w)*) +(?!(?:if|unless|and|or|is|isnt|then|else|by|in|of|for|when)\b)(?=[^\s=+*/<>|&?:,;)\]}.-]|->|-\d)/g
const BEFORE = /(?:\b(?:throw|new|return|await|yield|void|typeof|default)\s+|=>\s*|\(\s*|[!~]\s*)$/

/**
 * The calls in a source, with parentheses or tags, and its elements.
 * @param isBare whether the language allows calls without parentheses: a name before another word may then be called.
 */
export function callsOf({ whole }: Text, isBare: boolean): Call[] {
  const code = masked(whole)
  const calls: Call[] = []
  for (let open = 0; open < code.length; open++) {
    if (code[open] !== '(' && !isTag(code, open)) continue
    const call = callAt(code, open)
    if (call) calls.push(call)
  }
  for (const { 0: text, 1: name, index } of code.matchAll(/(?<![\w$])<([A-Za-z][\w.-]*)(?=[\s/>])/g))
    calls.push({
      start: index,
      callee: index,
      open: index + text.length,
      inside: index + text.length,
      end: index + text.length,
      name: name as string,
      isNew: false,
    })
  if (!isBare) return calls
  for (const { 0: text, 1: made = '', 2: name, index } of code.matchAll(BARE)) {
    const callee = index + made.length
    if (NO_CALLEE.test(name as string)) continue
    const open = index + text.length
    const end = code.indexOf('\n', open)
    const last = (name as string).split('.').pop() as string
    calls.push({
      start: beginOf(code, callee),
      callee,
      open,
      inside: open,
      end: end < 0 ? code.length : end,
      name: last,
      isNew: made !== '',
    })
  }
  return calls
}

const isTag = (code: string, at: number) => code[at] === '`' && WORD.test(code[at - 1] ?? '')

function callAt(code: string, open: number): Call | undefined {
  const callee = calleeBefore(code, open)
  if (callee === undefined) return undefined
  const words = code.slice(callee, open).replace(/[?.!\s]+$/, '')
  const name = /[\p{ID_Continue}$#@]+(?=(?:<[^()]*>)?$)/u.exec(words)?.[0] ?? ''
  if (NO_CALLEE.test(words)) return undefined
  const before = code.slice(Math.max(0, callee - 40), callee)
  if (/\bfunction\s*\*?\s*$/.test(before)) return undefined
  const end = code[open] === '(' ? closing(code, open) : code.length
  // The head of a method.
  if (code[open] === '(' && /^\s*(?::[^=;(){}]*)?\{/.test(code.slice(end + 1, end + 200))) return undefined
  return {
    start: beginOf(code, callee),
    callee,
    open,
    inside: open + 1 + (/^\s*/.exec(code.slice(open + 1))?.[0].length ?? 0),
    end,
    name: name.replace(/^[#@]/, ''),
    isNew: /\bnew\s+$/.test(before),
  }
}

function beginOf(code: string, callee: number): number {
  let start = callee
  for (;;) {
    const word = BEFORE.exec(code.slice(Math.max(0, start - 40), start))
    if (!word) return start
    start -= word[0].length
  }
}

/** Where the callee before a parenthesis begins; undefined if there is none. */
function calleeBefore(code: string, open: number): number | undefined {
  let at = open
  const skip = (pattern: RegExp) => {
    at -= pattern.exec(code.slice(Math.max(0, at - 200), at))?.[0].length ?? 0
  }
  skip(/(?:\?\.)?$/)
  if (code[at - 1] === '>' && code[at - 2] !== '=') skip(/<[^()=;]*>$/)
  for (;;) {
    const before = at
    skip(/!$/)
    if (code[at - 1] === ')' || code[at - 1] === ']') at = opening(code, at - 1)
    else if (code[at - 1] === '"') skip(/"+$/)
    else while (WORD.test(code[at - 1] ?? '')) at--
    if (at === before) return at === open ? undefined : at
    const link = /\s*\??\.\s*$/.exec(code.slice(Math.max(0, at - 200), at))
    if (link && !/\.\.$/.test(code.slice(0, at).trimEnd())) at -= link[0].length
    else if (!(WORD.test(code[at - 1] ?? '') || /[)\]]/.test(code[at - 1] ?? ''))) return at
    else if (/[\p{ID_Continue}$#@]/u.test(code[at] ?? '')) return at
  }
}

function closing(code: string, open: number): number {
  let depth = 0
  for (let at = open; at < code.length; at++) {
    if ('([{'.includes(code[at] as string)) depth++
    else if (')]}'.includes(code[at] as string) && --depth === 0) return at
  }
  return code.length
}

function opening(code: string, close: number): number {
  let depth = 0
  for (let at = close; at >= 0; at--) {
    if (')]}'.includes(code[at] as string)) depth++
    else if ('([{'.includes(code[at] as string) && --depth === 0) return at
  }
  return 0
}

/**
 * The text with spaces for comments and quotes for the content of strings, so that all brackets belong to code.
 * Attributes in markup are code.
 */
function masked(text: string): string {
  let code = ''
  const templates: number[] = []
  let depth = 0
  const take = (pattern: RegExp, by: string) => {
    pattern.lastIndex = code.length
    const found = pattern.exec(text)?.[0]
    if (found) code += found.replace(/[^\n]/g, by)
    return found !== undefined
  }
  const takeTemplate = () => {
    while (code.length < text.length) {
      if (text[code.length] === '\\') code += '""'
      else if (text[code.length] === '`') {
        code += '"'
        return
      } else if (text.startsWith('${', code.length)) {
        code += '"['
        templates.push(depth++)
        return
      } else code += text[code.length] === '\n' ? '\n' : '"'
    }
  }
  while (code.length < text.length) {
    const char = text[code.length] as string
    const isAttribute = /=$/.test(code) && /[<\s]\S*=$/.test(code.slice(-40))
    if (take(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->/y, ' ') || (!code.endsWith(':') && take(/\/\/.*/y, ' '))) continue
    if (char === "'" && take(/'(?:[^'\\\n]|\\.)*'/y, '"')) continue
    if (char === '"' && !isAttribute && take(/"(?:[^"\\\n]|\\.)*"/y, '"')) continue
    if (
      char === '/' &&
      /(?:[(,=:[!&|?{};]|\breturn)\s*$/.test(code.slice(-20)) &&
      take(/\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y, '"')
    )
      continue
    if (char === '`') {
      code += WORD.test(code.at(-1) ?? '') ? '`' : '"'
      takeTemplate()
      continue
    }
    if (char === '{') depth++
    if (char === '}' && --depth === templates.at(-1)) {
      templates.pop()
      code += ']'
      takeTemplate()
      continue
    }
    code += char
  }
  return code.slice(0, text.length)
}
