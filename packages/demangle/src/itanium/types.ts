import { expansion, type Node, Plain, prefixed, printList, StandardName, suffixed, Templated } from './nodes.ts'
import type { Output } from './output.ts'
import { Reader } from './reader.ts'
import { ArrayOf, Callable, Pointer, Qualified, Reference, WithProtocol } from './type-nodes.ts'

const BUILT_IN: Readonly<Record<string, string>> = {
  v: 'void',
  w: 'wchar_t',
  b: 'bool',
  c: 'char',
  a: 'signed char',
  h: 'unsigned char',
  s: 'short',
  t: 'unsigned short',
  i: 'int',
  j: 'unsigned int',
  l: 'long',
  m: 'unsigned long',
  x: 'long long',
  y: 'unsigned long long',
  n: '__int128',
  o: 'unsigned __int128',
  f: 'float',
  d: 'double',
  e: 'long double',
  g: '__float128',
  z: '...',
}
/** Built-in types whose encoding starts with `D`. */
const MORE_BUILT_IN: Readonly<Record<string, string>> = {
  d: 'decimal64',
  e: 'decimal128',
  f: 'decimal32',
  h: 'half',
  i: 'char32_t',
  s: 'char16_t',
  u: 'char8_t',
  a: 'auto',
  c: 'decltype(auto)',
  n: 'std::nullptr_t',
}
const STREAM = '<char, std::char_traits<char>>'
const STANDARD: Readonly<Record<string, readonly [name: string, expanded: string]>> = {
  a: ['allocator', 'allocator'],
  b: ['basic_string', 'basic_string'],
  s: ['string', 'basic_string<char, std::char_traits<char>, std::allocator<char>>'],
  i: ['istream', `basic_istream${STREAM}`],
  o: ['ostream', `basic_ostream${STREAM}`],
  d: ['iostream', `basic_iostream${STREAM}`],
}
const ELABORATED: Readonly<Record<string, string>> = { s: 'struct ', u: 'union ', e: 'enum ' }

/** Reads `<type>` and `<substitution>`. Source: Itanium C++ ABI, sections 5.1.5 and 5.1.8. The output format matches that of LLVM. */
export abstract class TypeReader extends Reader {
  type(): Node {
    const first = this.look()
    const builtIn = Object.hasOwn(BUILT_IN, first) ? BUILT_IN[first] : undefined
    if (builtIn !== undefined) {
      this.at++
      return this.plain(builtIn)
    }
    if (first === 'D' && Object.hasOwn(MORE_BUILT_IN, this.look(1))) {
      this.at += 2
      return this.plain(MORE_BUILT_IN[this.look(-1)] as string)
    }
    if (first === 'D' && 'FBU'.includes(this.look(1))) return this.numericType()
    if (first === 'S' && this.look(1) !== 't') return this.substitutedType()
    const result = this.substitutable(first)
    this.substitutions.push(result)
    return result
  }

  /** Reads `_Float16`, `_BitInt(7)` and similar types. Like other built-in types, numeric types are not substitution candidates. */
  private numericType(): Node {
    const kind = this.look(1)
    this.at += 2
    if (kind === 'F') {
      if (this.take('16b')) return this.plain('std::bfloat16_t')
      const bits = this.number()
      this.expect('_')
      return this.plain(`_Float${bits}`)
    }
    const size = this.isDigit ? this.plain(this.number()) : this.expression()
    this.expect('_')
    return new Plain((out) => {
      out.add(kind === 'U' ? 'unsigned _BitInt' : '_BitInt')
      out.enclosed('(', () => size.print(out), ')')
    })
  }

  private substitutable(first: string): Node {
    switch (first) {
      case 'r':
      case 'V':
      case 'K':
        return this.isFunctionAhead() ? this.functionType() : this.qualifiedType()
      case 'U':
        return this.qualifiedType()
      case 'u':
        this.at++
        return this.vendorType()
      case 'D':
        return this.typeAfterD()
      case 'F':
        return this.functionType()
      case 'A':
        return this.arrayType()
      case 'M': {
        this.at++
        const holder = this.type()
        return new Pointer(this.type(), holder)
      }
      case 'T':
        return 'sue'.includes(this.look(1)) && this.look(1) !== '' ? this.classOrEnum() : this.templateParamType()
      case 'P':
        this.at++
        return new Pointer(this.type())
      case 'R':
      case 'O':
        this.at++
        return new Reference(this.type(), first === 'R')
      case 'C':
        this.at++
        return suffixed(this.type(), ' complex')
      case 'G':
        this.at++
        return suffixed(this.type(), ' imaginary')
      default:
        return this.classOrEnum()
    }
  }

  private substitutedType(): Node {
    const { node, isSubstitution } = this.unscopedName(undefined)
    if (this.look() === 'I' && (!isSubstitution || this.triesTemplateArgs)) {
      if (!isSubstitution) this.substitutions.push(node)
      const result = new Templated(node, this.templateArgs())
      this.substitutions.push(result)
      return result
    }
    if (!isSubstitution) this.substitutions.push(node)
    return node
  }

  private templateParamType(): Node {
    const param = this.templateParam()
    if (!this.triesTemplateArgs || this.look() !== 'I') return param
    this.substitutions.push(param)
    return new Templated(param, this.templateArgs())
  }

  private classOrEnum(): Node {
    const kind = this.look() === 'T' ? ELABORATED[this.look(1)] : undefined
    if (kind === undefined) return this.name()
    this.at += 2
    return prefixed(kind, this.name())
  }

  private vendorType(): Node {
    const name = this.sourceName()
    if (!this.take('I')) return name
    const type = this.type()
    this.expect('E')
    return new Plain((out) => {
      name.print(out)
      out.enclosed('(', () => type.print(out), ')')
    })
  }

  private typeAfterD(): Node {
    const second = this.look(1)
    if (second === 't' || second === 'T') return this.decltype()
    if ('oOwx'.includes(second)) return this.functionType()
    this.at += 2
    switch (second) {
      case 'p':
        return expansion(this.type())
      case 'v':
        return this.vectorType()
      case 'k':
      case 'K':
        return suffixed(this.name(), second === 'K' ? ' decltype(auto)' : ' auto')
      default:
        return this.fail()
    }
  }

  protected decltype(): Node {
    this.at += 2
    const expression = this.expression()
    this.expect('E')
    return new Plain((out) => {
      out.add('decltype')
      out.enclosed('(', () => expression.print(out), ')')
    })
  }

  private vectorType(): Node {
    let size: Node | undefined
    if (this.isDigit) {
      size = this.plain(this.number())
      this.expect('_')
      if (this.take('p')) return prefixed('pixel vector[', suffixed(size, ']'))
    } else if (!this.take('_')) {
      size = this.expression()
      this.expect('_')
    }
    const element = this.type()
    return new Plain((out) => {
      element.print(out)
      out.add(' vector')
      out.enclosed('[', () => size?.print(out), ']')
    })
  }

  private arrayType(): Node {
    this.at++
    let size: Node | undefined
    if (this.isDigit) {
      size = this.plain(this.number())
      this.expect('_')
    } else if (!this.take('_')) {
      size = this.expression()
      this.expect('_')
    }
    return new ArrayOf(this.type(), size)
  }

  private qualifiedType(): Node {
    if (this.take('U')) {
      const qualifier = this.sourceName().baseName()
      const [, length, protocol = ''] = /^objcproto(\d+)(.*)$/.exec(qualifier) ?? []
      if (length !== undefined && Number(length) <= protocol.length)
        return new WithProtocol(this.qualifiedType(), protocol.slice(0, Number(length)))
      const args = this.look() === 'I' ? this.templateArgs() : undefined
      const type = this.qualifiedType()
      return new Plain((out) => {
        type.print(out)
        out.add(` ${qualifier}`)
        args?.print(out)
      })
    }
    const qualifiers = this.qualifiers()
    const type = this.type()
    return qualifiers === '' ? type : new Qualified(type, qualifiers)
  }

  private isFunctionAhead(): boolean {
    const rest = this.text.slice(this.at, this.at + 5)
    return /^r?V?K?(?:F|D[oOwx])/.test(rest)
  }

  private functionType(): Node {
    const qualifiers = this.qualifiers()
    const specification = this.exceptionSpecification()
    this.take('Dx')
    this.expect('F')
    this.take('Y')
    const result = this.type()
    const parameters: Node[] = []
    let reference = ''
    while (!this.take('E')) {
      if (this.take('v')) continue
      if (this.take('RE')) reference = ' &'
      else if (this.take('OE')) reference = ' &&'
      else {
        parameters.push(this.type())
        continue
      }
      break
    }
    return new Callable(undefined, {
      result,
      parameters,
      after(out) {
        out.add(qualifiers + reference)
        specification?.(out)
      },
    })
  }

  private exceptionSpecification(): ((out: Output) => void) | undefined {
    if (this.take('Do')) return (out) => out.add(' noexcept')
    if (this.take('DO')) {
      const condition = this.expression()
      this.expect('E')
      return (out) => out.enclosed(' noexcept(', () => condition.print(out), ')')
    }
    if (!this.take('Dw')) return undefined
    const types = this.until('E', () => this.type())
    return (out) => out.enclosed(' throw(', () => printList(out, types), ')')
  }

  /** Reads a substitution such as `S_` or `Sa`, but not `St`. */
  protected substitution(): Node {
    this.expect('S')
    const standard = Object.hasOwn(STANDARD, this.look()) ? STANDARD[this.look()] : undefined
    if (!standard) return this.substitutions[this.index(36)] ?? this.fail()
    this.at++
    const plain = new StandardName(...standard)
    const tagged = this.withAbiTags(plain)
    if (tagged !== plain) this.substitutions.push(tagged)
    return tagged
  }
}
