import { ArgumentPack, ForwardReference, Node, ParameterPack, Plain, printList, suffixed } from './nodes.ts'
import type { Output } from './output.ts'
import { TypeReader } from './types.ts'

/**
 * Reads `<template-param>`, `<template-args>` and `<template-param-decl>`. Source: Itanium C++ ABI, sections 5.1.5 and 5.1.7. The output
 * format matches that of LLVM.
 */
export abstract class TemplateReader extends TypeReader {
  templateParam(): Node {
    const start = this.at
    this.expect('T')
    const level = this.take('L') ? this.index(10) + 1 : 0
    const index = this.index(10)
    if (this.showsParamsEncoded) return this.plain(this.text.slice(start, this.at - 1))
    if (this.allowsForwardReferences && level === 0) {
      const reference = new ForwardReference(index)
      this.forwardReferences.push(reference)
      return reference
    }
    const known = this.templateParams[level]?.[index]
    if (known) return known
    // A missing argument represents an `auto` parameter of a lambda.
    if (this.lambdaLevel !== level || level > this.templateParams.length) return this.fail()
    if (level === this.templateParams.length) this.templateParams.push(undefined)
    return this.plain('auto')
  }

  templateArgs(isOfName = false): Node {
    this.expect('I')
    if (isOfName) {
      this.outerParams = []
      this.templateParams = [this.outerParams]
    }
    const args: Node[] = []
    while (!this.take('E')) {
      const arg = this.templateArg()
      args.push(arg)
      if (isOfName) this.outerParams.push(arg instanceof ArgumentPack ? new ParameterPack(arg.elements) : arg)
      // Like LLVM, do not print constraints after template arguments.
      if (!this.optionalConstraint()) continue
      this.expect('E')
      break
    }
    return new Plain((out) => out.angled(() => printList(out, args)))
  }

  templateArg(): Node {
    if (this.take('X')) {
      const expression = this.expression()
      this.expect('E')
      return expression
    }
    if (this.take('J')) return new ArgumentPack(this.until('E', () => this.templateArg()))
    if (this.take('LZ')) {
      const encoding = this.encoding()
      this.expect('E')
      return encoding
    }
    if (this.look() === 'L') return this.primary()
    if (!this.isTemplateParamDeclaration()) return this.type()
    this.templateParamDeclaration()
    // As in LLVM, the elements of a pack are printed here without the pack itself, which would be printed as `...`.
    const arg = this.templateArg()
    return new Plain((out) => arg.print(out))
  }

  protected isTemplateParamDeclaration(): boolean {
    return this.look() === 'T' && /[yptnk]/.test(this.look(1))
  }

  protected templateParamDeclaration(params?: Node[]): Node {
    const invent = (kind: '$T' | '$N' | '$TT') => {
      const count = this.inventedNames[kind]++
      const name = this.plain(count === 0 ? kind : `${kind}${count - 1}`)
      params?.push(name)
      return name
    }
    if (this.take('Ty')) return new Declaration(this.plain('typename '), invent('$T'))
    if (this.take('Tk')) {
      const constraint = suffixed(this.name(), ' ')
      return new Declaration(constraint, invent('$T'))
    }
    if (this.take('Tn')) {
      const name = invent('$N')
      return new Declaration(this.type(), name, true)
    }
    if (this.take('Tt')) {
      const name = invent('$TT')
      const inner: Node[] = []
      this.templateParams.push(inner)
      const depth = this.templateParams.length - 1
      const parameters = this.until('E', () => this.templateParamDeclaration(inner))
      this.templateParams.length = depth
      const head = new Plain((out) => {
        out.add('template')
        out.angled(() => printList(out, parameters))
        out.add(' typename ')
      })
      return new Declaration(head, name)
    }
    this.expect('Tp')
    return new PackDeclaration(this.templateParamDeclaration(params))
  }
}

class Declaration extends Node {
  readonly #type: Node
  readonly #name: Node
  readonly #isValue: boolean

  constructor(type: Node, name: Node, isValue = false) {
    super()
    this.#type = type
    this.#name = name
    this.#isValue = isValue
  }

  left(out: Output): void {
    this.#type.left(out)
    if (this.#isValue && !this.#type.hasRight(out)) out.add(' ')
  }
  override right(out: Output): void {
    this.#name.print(out)
    this.#type.right(out)
  }
}

class PackDeclaration extends Node {
  readonly #declaration: Node

  constructor(declaration: Node) {
    super()
    this.#declaration = declaration
  }

  left(out: Output): void {
    this.#declaration.left(out)
    out.add('...')
  }
  override right(out: Output): void {
    this.#declaration.right(out)
  }
}
