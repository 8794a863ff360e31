import { signed } from './expression-nodes.ts'
import { FLOAT_DIGITS, printedFloat } from './floats.ts'
import { type Node, Plain } from './nodes.ts'
import type { Output } from './output.ts'
import { UnresolvedNameReader } from './unresolved-names.ts'

/** Suffix or cast type for literals of each built-in type. Types without a literal suffix in C++ are printed as casts. */
const LITERALS: Readonly<Record<string, string>> = {
  w: 'wchar_t',
  c: 'char',
  a: 'signed char',
  h: 'unsigned char',
  s: 'short',
  t: 'unsigned short',
  i: '',
  j: 'u',
  l: 'l',
  m: 'ul',
  x: 'll',
  y: 'ull',
  n: '__int128',
  o: 'unsigned __int128',
}

/** Reads `<expr-primary>`. Source: Itanium C++ ABI, section 5.1.6. The output format matches that of LLVM. */
export abstract class LiteralReader extends UnresolvedNameReader {
  abstract lambda(): (out: Output) => void

  primary(): Node {
    this.expect('L')
    const first = this.look()
    const suffix = Object.hasOwn(LITERALS, first) ? LITERALS[first] : undefined
    if (suffix !== undefined) {
      this.at++
      const value = this.number(true)
      if (value === '') this.fail()
      this.expect('E')
      return this.plain(suffix.length > 3 ? `(${suffix})${signed(value)}` : signed(value) + suffix)
    }
    if (this.take('b0E')) return this.plain('false')
    if (this.take('b1E')) return this.plain('true')
    if (this.take('_Z')) {
      const encoding = this.encoding()
      this.expect('E')
      return encoding
    }
    if (this.take('Dn')) {
      this.take('0')
      this.expect('E')
      return this.plain('nullptr')
    }
    if (first === 'U' && this.look(1) === 'l') {
      const print = this.lambda()
      this.number()
      this.expect('_')
      this.expect('E')
      return new Plain((out) => {
        out.add('[]')
        print(out)
        out.add('{...}')
      })
    }
    if (first === 'f' || first === 'd' || first === 'e') return this.float(first)
    if (first === 'T' || first === 'U') this.fail()
    const isText = first === 'A'
    const type = this.type()
    const value = isText ? '' : this.number(true)
    if (!isText && value === '') this.fail()
    this.expect('E')
    return new Plain((out) => {
      if (isText) out.add('"<')
      if (isText) type.print(out)
      else out.enclosed('(', () => type.print(out), ')')
      out.add(isText ? '>"' : signed(value))
    })
  }

  private float(type: keyof typeof FLOAT_DIGITS): Node {
    this.at++
    const digits = this.text.slice(this.at, this.at + FLOAT_DIGITS[type])
    this.at += digits.length
    this.expect('E')
    return this.plain(printedFloat(type, digits) ?? this.fail())
  }
}
