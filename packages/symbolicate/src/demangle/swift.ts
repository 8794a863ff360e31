/** Types and protocols of the standard library, after an `S`. Source: Swift's docs/ABI/Mangling.rst. */
const STANDARD: Readonly<Record<string, string>> = {
  A: 'AutoreleasingUnsafeMutablePointer',
  a: 'Array',
  b: 'Bool',
  D: 'Dictionary',
  d: 'Double',
  f: 'Float',
  h: 'Set',
  I: 'DefaultIndices',
  i: 'Int',
  J: 'Character',
  N: 'ClosedRange',
  n: 'Range',
  O: 'ObjectIdentifier',
  P: 'UnsafePointer',
  p: 'UnsafeMutablePointer',
  q: 'Optional',
  R: 'UnsafeBufferPointer',
  r: 'UnsafeMutableBufferPointer',
  S: 'String',
  s: 'Substring',
  u: 'UInt',
  V: 'UnsafeRawPointer',
  v: 'UnsafeMutableRawPointer',
  W: 'UnsafeRawBufferPointer',
  w: 'UnsafeMutableRawBufferPointer',
}
const ACCESSORS: Readonly<Record<string, string>> = {
  g: 'getter',
  s: 'setter',
  M: 'modify',
  r: 'read',
  w: 'willset',
  W: 'didset',
}
/** What the compiler moved out of functions, after `WO`. */
const OUTLINED: Readonly<Record<string, string>> = {
  y: 'copy',
  e: 'consume',
  r: 'retain',
  s: 'release',
  b: 'init with take',
  c: 'init with copy',
  d: 'assign with take',
  f: 'assign with copy',
  h: 'destroy',
}
const OPERATOR_LETTERS = 'acdeglmnopqrstxz'
const OPERATOR_SIGNS = '&@/=><*!|+?%-~^.'
const MAX_WORDS = 26

/** Where a name is mangled in a way that is not known here. */
class UnknownForm extends Error {}

/**
 * The short form of a Swift name: `Cart.total(of:with:)`, `static Cart.main()`, `closure #1 in Cart.price.getter`, as `swift demangle --simplified` has
 * it where it names no types. Read are the entities that a program's own code has; of a name its types are passed over.
 * @returns undefined for names of other forms, such as conformances and thunks between conventions.
 */
export function demangleSwift(mangled: string): string | undefined {
  const [prefix] = /^_?\$[sS]/.exec(mangled) ?? []
  if (prefix === undefined) return undefined
  try {
    return new SwiftName(mangled.slice(prefix.length)).read()
  } catch (error) {
    if (!(error instanceof UnknownForm)) throw error
    return undefined
  }
}

class SwiftName {
  readonly #text: string
  #at = 0
  /** Parts of identifiers, which later ones refer to. */
  readonly #words: string[] = []

  constructor(text: string) {
    this.#text = text
  }

  read(): string {
    const { scope, names } = this.#front()
    const types = this.#withoutNames()
    const { entity, before } = this.#suffixes(types)
    const closures = [...entity.matchAll(/fU(\d*)_/g)].map(([, index]) => (index ? Number(index) + 2 : 1))
    const named = this.#entity(scope, names, entity)
    const inside = closures.reverse().map((number) => `closure #${number} in `)
    return before + inside.join('') + named
  }

  /** The types that the entity is in, and the identifiers that come after them: its name and its labels. */
  #front(): { scope: string[]; names: string[] } {
    const scope: string[] = []
    this.#context(scope)
    const names: string[] = []
    for (;;) {
      const next = this.#peek()
      if (next >= '0' && next <= '9') {
        const name = this.#identifier()
        if (this.#take('LL')) {
          // A private name comes after the name that it belongs to.
          if (names.length === 0) throw new UnknownForm()
        } else if (/^o[ip]/.test(this.#rest())) {
          this.#at += 2
          names.push([...name].map((letter) => OPERATOR_SIGNS[OPERATOR_LETTERS.indexOf(letter)] ?? letter).join(''))
        } else names.push(name)
      } else if (/^[CVOPa]/.test(next) && names.length === 1) {
        this.#at++
        scope.push(names.pop() as string)
      } else if (/^[CVOP]/.test(next) && names.length >= 2) {
        // The last two were a module and a type: of the signature.
        names.length -= 2
        return { scope, names }
      } else if (next === 'E' && names.length === 1 && scope.length > 0) {
        this.#at++
        names.pop() // An extension's module.
      } else if (next === '_' && names.length > 0) {
        this.#at++
        names.push('_')
      } else return { scope, names }
    }
  }

  /** Reads the module, or a type of the standard library. */
  #context(scope: string[]): void {
    if (this.#take('So') || this.#take('SC') || this.#take('s')) return
    if (this.#peek() !== 'S') {
      this.#identifier()
      return
    }
    scope.push(STANDARD[this.#text[1] ?? ''] ?? unknown())
    this.#at = 2
  }

  /** What is left, with `#` for each identifier, whose letters would be taken for operators. */
  #withoutNames(): string {
    let text = ''
    while (this.#at < this.#text.length) {
      const next = this.#peek()
      // Digits are numbers after some operators: in `U0_` and `Tg5`.
      const isNumber = /(?:U\d*|T[gG]q?|Tf)$/.test(text)
      if (next >= '0' && next <= '9' && !isNumber) {
        this.#identifier()
        text += '#'
      } else {
        text += next
        this.#at++
      }
    }
    return text
  }

  #suffixes(types: string): { entity: string; before: string } {
    let entity = types
    let before = ''
    for (;;) {
      const [suffix] = /(?:To|Tm|Tf\d[a-zA-Z_]*_n|T[gG]q?\d|Ta|TA)$/.exec(entity) ?? []
      if (suffix === undefined) return { entity, before }
      entity = entity.slice(0, -suffix.length)
      if (suffix === 'To') before += '@objc '
      else if (suffix === 'Tm') before += 'merged '
      else if (/^T[aA]$/.test(suffix)) before += 'partial apply for '
      else if (!before.includes('specialized')) before += 'specialized '
    }
  }

  #entity(scope: readonly string[], names: readonly string[], types: string): string {
    const holder = scope.join('.')
    const [name, ...labels] = names
    const member = (text: string) => [...scope, text].join('.')
    if (/L\d*_/.test(types) || /W[a-zA-Z]$|T[A-Z]$/.test(types)) throw new UnknownForm()
    if (holder !== '' && name === undefined) {
      if (types === 'Ma') return `type metadata accessor for ${holder}`
      if (types === 'fD') return `${holder}.__deallocating_deinit`
      if (types === 'fd') return `${holder}.deinit`
      if (types === 'fE') return `${holder}.__ivar_destroyer`
      if (/^w[a-zA-Z]{2}$/.test(types)) return `value witness for ${holder}`
      const outlined = OUTLINED[/^WO([a-z])$/.exec(types)?.[1] ?? '']
      if (outlined !== undefined) return `outlined ${outlined} of ${holder}`
    }
    const accessor = /ci([gsMr])/.exec(types)?.[1]
    if (accessor !== undefined && holder !== '') return `${member('subscript')}.${ACCESSORS[accessor]}`
    if (/cf[cC]/.test(types) && !/F/.test(types))
      return member(`init${labelsOf(names, /ycf[cC]/.test(types) ? 0 : undefined)}`)
    if (name === undefined) throw new UnknownForm()
    if (/vpfi/.test(types)) return `variable initialization expression of ${member(name)}`
    const variable = /v([gsMrwW])/.exec(types)?.[1]
    if (variable !== undefined) return `${types.includes('Z') ? 'static ' : ''}${member(name)}.${ACCESSORS[variable]}`
    const signature = /^(.*?)F(Z?)/.exec(types)
    if (!signature) throw new UnknownForm()
    const [, type = '', isStatic] = signature
    return `${isStatic ? 'static ' : ''}${member(name + labelsOf(labels, parameterCount(type)))}`
  }

  /** Source: the demangler of Swift, `demangleIdentifier`. */
  #identifier(): string {
    let hasWords = false
    if (this.#take('0')) {
      if (this.#peek() === '0') throw new UnknownForm() // Punycode.
      hasWords = true
    }
    let name = ''
    do {
      while (hasWords && /[a-zA-Z]/.test(this.#peek())) {
        const letter = this.#peek()
        this.#at++
        name += this.#words[letter.toLowerCase().charCodeAt(0) - 97] ?? unknown()
        if (letter < 'a') hasWords = false
      }
      if (this.#take('0')) break
      const digits = /^\d{1,5}/.exec(this.#rest())?.[0] ?? unknown()
      this.#at += digits.length
      const piece = this.#text.slice(this.#at, this.#at + Number(digits))
      if (piece.length < Number(digits)) throw new UnknownForm()
      this.#at += piece.length
      name += piece
      this.#keepWords(piece)
    } while (hasWords)
    return name
  }

  #keepWords(piece: string): void {
    for (const [word] of piece.matchAll(/[^\d_](?:(?<![^A-Z])[A-Z]|[^A-Z_])*/g)) {
      if (word.length >= 2 && this.#words.length < MAX_WORDS) this.#words.push(word)
    }
  }

  #peek(): string {
    return this.#text[this.#at] ?? ''
  }

  #rest(): string {
    return this.#text.slice(this.#at)
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }
}

function unknown(): never {
  throw new UnknownForm()
}

/** Parameters without labels, by the type before an `F`; undefined when there may be any number. */
function parameterCount(type: string): number | undefined {
  const plain = type.replace(/(?:Ya)?K?$/, '')
  // A list of labels, which is `y` where there are none, is left out only when there are no parameters.
  if (plain === 'yy' || !plain.startsWith('y')) return plain.endsWith('y') ? 0 : undefined
  return plain.endsWith('t') ? undefined : 1
}

function labelsOf(labels: readonly string[], count: number | undefined): string {
  if (labels.length > 0) return `(${labels.map((label) => `${label}:`).join('')})`
  if (count === undefined) return ''
  return `(${'_:'.repeat(count)})`
}
