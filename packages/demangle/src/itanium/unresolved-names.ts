import { withPrefix } from './expression-nodes.ts'
import { type Node, Plain, qualified, Templated } from './nodes.ts'
import { TemplateReader } from './templates.ts'

/**
 * Reads `<unresolved-name>`: names in expressions that depend on template parameters. Source: Itanium C++ ABI, section 5.1.6. The output
 * format matches that of LLVM.
 */
export abstract class UnresolvedNameReader extends TemplateReader {
  protected unresolvedName(isGlobal: boolean): Node {
    if (this.take('srN')) {
      let scope = this.withArgs(this.unresolvedType())
      while (!this.take('E')) scope = qualified(scope, this.simpleId())
      return qualified(scope, this.baseUnresolvedName())
    }
    const global = (name: Node) => (isGlobal ? new Plain(withPrefix('::', name)) : name)
    if (!this.take('sr')) return global(this.baseUnresolvedName())
    let scope: Node
    if (this.isDigit) {
      scope = global(this.simpleId())
      while (!this.take('E')) scope = qualified(scope, this.simpleId())
    } else scope = this.withArgs(this.unresolvedType())
    return qualified(scope, this.baseUnresolvedName())
  }

  private unresolvedType(): Node {
    if (this.look() === 'S') return this.substitution()
    const type = this.look() === 'T' ? this.templateParam() : this.decltype()
    this.substitutions.push(type)
    return type
  }

  private withArgs(name: Node): Node {
    return this.look() === 'I' ? new Templated(name, this.templateArgs()) : name
  }

  private simpleId(): Node {
    return this.withArgs(this.sourceName())
  }

  private baseUnresolvedName(): Node {
    if (this.isDigit) return this.simpleId()
    if (this.take('dn')) return new Plain(withPrefix('~', this.isDigit ? this.simpleId() : this.unresolvedType()))
    this.expect('on')
    return this.withArgs(this.operatorName(undefined))
  }
}
