import { NameReader } from './names.ts'
import { type Node, Plain, prefixed } from './nodes.ts'
import { DAMAGED, Output } from './output.ts'

const SPECIAL_TYPES: Readonly<Record<string, string>> = {
  TV: 'vtable for ',
  TT: 'VTT for ',
  TI: 'typeinfo for ',
  TS: 'typeinfo name for ',
}
const SPECIAL_NAMES: Readonly<Record<string, string>> = {
  TW: 'thread-local wrapper routine for ',
  TH: 'thread-local initialization routine for ',
  GV: 'guard variable for ',
}

/**
 * Reads `<special-name>`: tables, thunks and other symbols that the compiler generates. Source: Itanium C++ ABI, section 5.1.4. The output
 * format matches that of LLVM.
 */
class EncodingReader extends NameReader {
  specialName(): Node {
    const code = this.text.slice(this.at, this.at + 2)
    this.at += 2
    const ofType = Object.hasOwn(SPECIAL_TYPES, code) ? SPECIAL_TYPES[code] : undefined
    if (ofType !== undefined) return prefixed(ofType, this.type())
    const ofName = Object.hasOwn(SPECIAL_NAMES, code) ? SPECIAL_NAMES[code] : undefined
    if (ofName !== undefined) return prefixed(ofName, this.name())
    switch (code) {
      case 'TA':
        return prefixed('template parameter object for ', this.templateArg())
      case 'Tc':
        this.callOffset()
        this.callOffset()
        return prefixed('covariant return thunk to ', this.encoding())
      case 'TC': {
        const whole = this.type()
        if (this.number(true) === '') this.fail()
        this.expect('_')
        const part = prefixed('construction vtable for ', this.type())
        return new Plain((out) => {
          part.print(out)
          out.add('-in-')
          whole.print(out)
        })
      }
      case 'GI':
        return prefixed('initializer for module ', this.moduleName() ?? this.fail())
      case 'GR': {
        const name = this.name()
        if (!this.take('_')) this.index(36)
        return prefixed('reference temporary for ', name)
      }
    }
    if (!code.startsWith('T')) this.fail()
    this.at--
    const isVirtual = this.look() === 'v'
    this.callOffset()
    return prefixed(isVirtual ? 'virtual thunk to ' : 'non-virtual thunk to ', this.encoding())
  }

  private callOffset(): void {
    const [match] = /^(?:hn?\d+_|vn?\d+_n?\d+_)/.exec(this.text.slice(this.at)) ?? this.fail()
    this.at += match.length
  }
}

/**
 * Prints a C++ name in the format of `llvm-cxxfilt`.
 * @throws DemangleError if the form is unknown, or RangeError if the name is nested too deeply.
 */
export function demangleItanium(mangled: string): string {
  const [prefix = ''] = /^_{1,4}Z/.exec(mangled) ?? []
  const reader = new EncodingReader(mangled)
  reader.at = prefix.length
  const encoding = reader.encoding()
  const out = new Output()
  const block = prefix.length > 3 ? /^_block_invoke(?:_?\d+)?/.exec(mangled.slice(reader.at)) : null
  if (block) {
    out.add('invocation function for block in ')
    reader.at += block[0].length
  }
  encoding.print(out)
  const rest = mangled.slice(reader.at)
  // Compilers append a suffix to the names of cloned functions.
  if (rest.startsWith('.') && !block) out.add(` (${rest})`)
  else if (rest !== '' && !rest.startsWith('.')) throw DAMAGED
  return out.text
}
