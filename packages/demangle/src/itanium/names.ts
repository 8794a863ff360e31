import { ExpressionReader } from './expressions.ts'
import {
  ModuleName,
  type Node,
  Plain,
  prefixed,
  printList,
  qualified,
  StandardName,
  suffixed,
  Templated,
} from './nodes.ts'
import { operatorName } from './operators.ts'
import type { Output } from './output.ts'
import { isDigit, type NameFacts } from './reader.ts'
import { Callable } from './type-nodes.ts'

/** Reads `<encoding>` and `<name>`. Source: Itanium C++ ABI, sections 5.1.2 and 5.1.3. The output format matches that of LLVM. */
export abstract class NameReader extends ExpressionReader {
  abstract specialName(): Node

  encoding(): Node {
    return this.apart(() => {
      if (this.look() === 'G' || this.look() === 'T') return this.specialName()
      const facts: NameFacts = {
        qualifiers: '',
        reference: '',
        endsWithTemplateArgs: false,
        isConstructorOrConversion: false,
        hasExplicitObject: false,
      }
      const before = this.forwardReferences
      this.forwardReferences = []
      const name = this.name(facts)
      for (const reference of this.forwardReferences) {
        reference.target = this.templateParams[0]?.[reference.index] ?? this.fail()
      }
      this.forwardReferences = before
      return this.isEndOfEncoding ? name : this.signature(name, facts)
    })
  }

  private get isEndOfEncoding(): boolean {
    return this.isAtEnd || 'E._'.includes(this.look())
  }

  private signature(name: Node, facts: NameFacts): Node {
    const conditions = this.take('Ua9enable_ifI') ? this.until('E', () => this.templateArg()) : undefined
    const hasResult = facts.endsWithTemplateArgs && !facts.isConstructorOrConversion
    const result = hasResult ? this.type() : undefined
    const parameters: Node[] = []
    if (!this.take('v')) {
      do {
        const type = this.type()
        parameters.push(facts.hasExplicitObject && parameters.length === 0 ? prefixed('this ', type) : type)
      } while (!this.isEndOfEncoding && this.look() !== 'Q')
    }
    const requirement = this.optionalConstraint()
    return new Callable(name, {
      result,
      parameters,
      after(out) {
        out.add(facts.qualifiers + facts.reference)
        if (conditions) out.enclosed(' [enable_if:', () => printList(out, conditions), ']')
        if (!requirement) return
        out.add(' requires ')
        requirement.print(out)
      },
    })
  }

  name(facts?: NameFacts): Node {
    if (this.look() === 'N') return this.nestedName(facts)
    if (this.look() === 'Z') return this.localName(facts)
    const { node, isSubstitution } = this.unscopedName(facts)
    if (this.look() !== 'I') return isSubstitution ? this.fail() : node
    if (!isSubstitution) this.substitutions.push(node)
    const args = this.templateArgs(facts !== undefined)
    if (facts) facts.endsWithTemplateArgs = true
    return new Templated(node, args)
  }

  unscopedName(facts: NameFacts | undefined): { node: Node; isSubstitution: boolean } {
    const scope = this.take('St') ? this.plain('std') : undefined
    const found = this.look() === 'S' ? this.substitution() : undefined
    if (!found || found instanceof ModuleName)
      return { node: this.unqualifiedName(facts, scope, found), isSubstitution: false }
    return scope ? this.fail() : { node: found, isSubstitution: true }
  }

  /**
   * Reads a C++20 module name, which is encoded in parts: `W4shopWP4till` is `shop:till`.
   * @param module the module from a substitution, if any.
   */
  moduleName(module?: ModuleName): ModuleName | undefined {
    let found = module
    while (this.take('W')) {
      const isPartition = this.take('P')
      const separator = isPartition ? ':' : found ? '.' : ''
      found = new ModuleName(`${found?.baseName() ?? ''}${separator}${this.sourceName().baseName()}`)
      this.substitutions.push(found)
    }
    return found
  }

  private localName(facts: NameFacts | undefined): Node {
    this.expect('Z')
    const holder = this.encoding()
    this.expect('E')
    if (this.take('s')) {
      this.discriminator()
      return qualified(holder, this.plain('string literal'))
    }
    return this.apart(() => {
      if (this.take('d')) {
        this.number(true)
        this.expect('_')
        return qualified(holder, this.name(facts))
      }
      const entity = this.name(facts)
      this.discriminator()
      return qualified(holder, entity)
    })
  }

  /** Skips a discriminator, which distinguishes local entities with the same name. */
  private discriminator(): void {
    const rest = this.text.slice(this.at)
    this.at += /^(?:_\d|__\d*_|\d+$)/.exec(rest)?.[0].length ?? 0
  }

  private nestedName(facts: NameFacts | undefined): Node {
    this.expect('N')
    if (this.take('H')) {
      if (facts) facts.hasExplicitObject = true
    } else {
      const qualifiers = this.qualifiers()
      const reference = this.take('O') ? ' &&' : this.take('R') ? ' &' : ''
      if (facts) Object.assign(facts, { qualifiers, reference })
    }
    let found: Node | undefined
    while (!this.take('E')) {
      if (facts) facts.endsWithTemplateArgs = false
      if (this.look() === 'S') {
        const part = this.take('St') ? this.plain('std') : this.substitution()
        if (part instanceof ModuleName) {
          found = this.unqualifiedName(facts, found, part)
          this.substitutions.push(found)
          this.take('M')
        } else found = found ? this.fail() : part
        continue
      }
      if (this.look() === 'T') found = found ? this.fail() : this.templateParam()
      else if (this.look() === 'I') {
        if (!found || found instanceof Templated) this.fail()
        const args = this.templateArgs(facts !== undefined)
        if (facts) facts.endsWithTemplateArgs = true
        found = new Templated(found as Node, args)
      } else if (this.look() === 'D' && (this.look(1) === 't' || this.look(1) === 'T')) {
        found = found ? this.fail() : this.decltype()
      } else found = this.unqualifiedName(facts, found)
      this.substitutions.push(found)
      this.take('M')
    }
    if (!found || this.substitutions.length === 0) this.fail()
    this.substitutions.pop()
    return found as Node
  }

  private unqualifiedName(facts: NameFacts | undefined, scope: Node | undefined, of?: ModuleName): Node {
    const module = this.moduleName(of)
    const isFriend = scope !== undefined && this.take('F')
    this.take('L')
    let holder = scope
    let name: Node
    if (this.look() === 'U') name = this.unnamedTypeName(facts)
    else if (this.isDigit && this.look() !== '0') name = this.sourceName()
    else if (this.take('DC')) {
      const bindings: Node[] = []
      do bindings.push(this.sourceName())
      while (!this.take('E'))
      name = new Plain((out) => out.enclosed('[', () => printList(out, bindings), ']'))
    } else if (this.look() === 'C' || this.look() === 'D') {
      if (!holder) this.fail()
      if (holder instanceof StandardName) holder = holder.expanded
      name = this.constructorName(holder as Node, facts)
    } else name = this.operatorName(facts)
    const tagged = this.withAbiTags(module ? suffixed(name, `@${module.baseName()}`) : name)
    if (!holder) return tagged
    return qualified(holder, isFriend ? prefixed('friend ', tagged) : tagged)
  }

  private constructorName(holder: Node, facts: NameFacts | undefined): Node {
    if (facts) facts.isConstructorOrConversion = true
    const base = () => holder.baseName()
    if (this.take('C')) {
      const isInherited = this.take('I')
      if (!/[1-5]/.test(this.look())) this.fail()
      this.at++
      if (isInherited) this.name(facts)
      return new Plain((out) => out.add(base()))
    }
    if (!/[01245]/.test(this.look(1))) this.fail()
    this.at += 2
    return new Plain((out) => out.add(`~${base()}`))
  }

  /** Reads an unnamed type. Constructors of unnamed types have no name, as in `Cart::'unnamed'::()`. */
  unnamedTypeName(facts: NameFacts | undefined): Node {
    if (facts) this.templateParams = []
    if (this.take('Ut')) {
      const count = this.number()
      this.expect('_')
      return new Plain((out) => out.add(`'unnamed${count}'`))
    }
    if (this.take('Ub')) {
      this.number()
      this.expect('_')
      return new Plain((out) => out.add("'block-literal'"))
    }
    if (!this.text.startsWith('Ul', this.at)) this.fail()
    const print = this.lambda()
    const count = this.number()
    this.expect('_')
    return new Plain((out) => {
      out.add(`'lambda${count}'`)
      print(out)
    })
  }

  lambda(): (out: Output) => void {
    this.expect('Ul')
    const outerLevel = this.lambdaLevel
    const depth = this.templateParams.length
    this.lambdaLevel = depth
    const own: Node[] = []
    this.templateParams.push(own)
    const declared: Node[] = []
    while (this.isTemplateParamDeclaration()) declared.push(this.templateParamDeclaration(own))
    // If the lambda declares no template parameters, its `auto` parameters use this level.
    if (declared.length === 0) this.templateParams.pop()
    const first = this.optionalConstraint()
    const parameters: Node[] = []
    if (!this.take('v')) {
      do parameters.push(this.type())
      while (this.look() !== 'E' && this.look() !== 'Q')
    }
    const second = this.optionalConstraint()
    this.expect('E')
    this.templateParams.length = Math.min(this.templateParams.length, depth)
    this.lambdaLevel = outerLevel
    const requires = (out: Output, condition: Node | undefined) => {
      if (!condition) return
      out.add(' requires ')
      condition.print(out)
    }
    return (out) => {
      if (declared.length > 0) out.angled(() => printList(out, declared))
      requires(out, first)
      if (first) out.add(' ')
      out.enclosed('(', () => printList(out, parameters), ')')
      requires(out, second)
    }
  }

  operatorName(facts: NameFacts | undefined): Node {
    const operator = this.operator()
    if (operator?.kind === 'cast') {
      const { triesTemplateArgs, allowsForwardReferences } = this
      this.triesTemplateArgs = false
      this.allowsForwardReferences ||= facts !== undefined
      const type = this.type()
      this.triesTemplateArgs = triesTemplateArgs
      this.allowsForwardReferences = allowsForwardReferences
      if (facts) facts.isConstructorOrConversion = true
      return prefixed('operator ', type)
    }
    if (operator) return this.plain(operatorName(operator) ?? this.fail())
    if (this.take('li')) return prefixed('operator"" ', this.sourceName())
    if (this.look() !== 'v' || !isDigit(this.look(1))) this.fail()
    this.at += 2
    return prefixed('operator ', this.sourceName())
  }

  sourceName(): Plain {
    const length = this.integer()
    const name = this.text.slice(this.at, this.at + length)
    if (length === 0 || name.length < length) this.fail()
    this.at += length
    return new Plain(name.startsWith('_GLOBAL__N') ? '(anonymous namespace)' : name)
  }

  withAbiTags(name: Node): Node {
    let tagged = name
    while (this.take('B')) tagged = suffixed(tagged, `[abi:${this.sourceName().baseName()}]`)
    return tagged
  }
}
