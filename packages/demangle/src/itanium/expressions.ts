import {
  Braced,
  binary,
  call,
  called,
  initializer,
  requirement,
  requiresExpression,
  signed,
  unary,
} from './expression-nodes.ts'
import { LiteralReader } from './literals.ts'
import { expansion, type Node, Plain, PREC, prefixed, printList } from './nodes.ts'
import type { Operator } from './operators.ts'
import type { Output } from './output.ts'
import { isDigit } from './reader.ts'

/** Reads `<expression>`. Source: Itanium C++ ABI, section 5.1.6. The output format matches that of LLVM. */
export abstract class ExpressionReader extends LiteralReader {
  expression(): Node {
    const isGlobal = this.take('gs')
    const operator = this.operator()
    if (operator) return this.operation(operator, isGlobal)
    if (this.look() === 'L') return this.primary()
    if (this.look() === 'T') return this.templateParam()
    if (this.look() === 'f') {
      const isParam = this.look(1) === 'p' || (this.look(1) === 'L' && isDigit(this.look(2)))
      return isParam ? this.functionParam() : this.fold()
    }
    if (this.take('il'))
      return initializer(
        undefined,
        this.until('E', () => this.braced()),
      )
    if (this.take('tl')) {
      const type = this.type()
      return initializer(
        type,
        this.until('E', () => this.braced()),
      )
    }
    if (this.take('rQ')) {
      const parameters = this.until('_', () => this.type())
      return requiresExpression(parameters, this.requirements())
    }
    if (this.take('rq')) return requiresExpression([], this.requirements())
    if (this.take('nx')) return called('noexcept ', this.expression(), PREC.unary)
    if (this.take('sp')) return expansion(this.expression())
    if (this.take('sZ')) {
      if (this.look() !== 'T') return called('sizeof... ', this.functionParam())
      return called('sizeof...', expansion(this.templateParam()))
    }
    if (this.take('sP')) {
      const args = this.until('E', () => this.templateArg())
      return called('sizeof... ', new Plain((out) => printList(out, args)))
    }
    if (this.take('tr')) return this.plain('throw')
    if (this.take('tw')) return unary('throw ', this.expression(), PREC.lowest)
    if (this.take('so')) return this.subobject()
    if (this.take('mc')) return this.memberConversion()
    if (this.take('u')) {
      const name = this.sourceName()
      return call(
        name,
        this.until('E', () => this.templateArg()),
        PREC.postfix,
      )
    }
    return this.unresolvedName(isGlobal)
  }

  private operation({ kind, flag, precedence, symbol }: Operator, isGlobal: boolean): Node {
    switch (kind) {
      case 'binary': {
        const left = this.expression()
        return binary(left, symbol, this.expression(), precedence)
      }
      case 'prefix':
        return unary(symbol, this.expression(), precedence)
      case 'postfix': {
        if (this.take('_')) return unary(symbol, this.expression(), precedence)
        const operand = this.expression()
        return new Plain((out) => {
          operand.printOperand(out, precedence, true)
          out.add(symbol)
        }, precedence)
      }
      case 'subscript': {
        const base = this.expression()
        const index = this.expression()
        return new Plain((out) => {
          base.printOperand(out, precedence)
          out.enclosed('[', () => index.printOperand(out), ']')
        }, precedence)
      }
      case 'member': {
        const object = this.expression()
        const member = this.expression()
        return new Plain((out) => {
          object.printOperand(out, precedence, true)
          out.add(symbol)
          member.printOperand(out, precedence)
        }, precedence)
      }
      case 'call': {
        const callee = this.expression()
        return call(
          callee,
          this.until('E', () => this.expression()),
          precedence,
          flag,
        )
      }
      case 'conditional': {
        const [condition, yes, no] = [this.expression(), this.expression(), this.expression()]
        return new Plain((out) => {
          condition.printOperand(out, precedence)
          out.add(' ? ')
          yes.printOperand(out)
          out.add(' : ')
          no.printOperand(out, PREC.assign, true)
        }, precedence)
      }
      case 'namedCast': {
        const type = this.type()
        const operand = this.expression()
        return new Plain((out) => {
          out.add(symbol)
          out.angled(() => type.left(out))
          out.enclosed('(', () => operand.printOperand(out), ')')
        }, precedence)
      }
      case 'of':
        return called(symbol, flag ? this.type() : this.expression(), precedence)
      case 'new':
        return this.newExpression(isGlobal, symbol, precedence)
      case 'delete':
        return unary(`${isGlobal ? '::' : ''}${symbol} `, this.expression(), precedence, PREC.lowest + 1)
      case 'cast':
        return this.conversion(precedence)
      default:
        return this.fail()
    }
  }

  private newExpression(isGlobal: boolean, symbol: string, precedence: number): Node {
    const places = this.until('_', () => this.expression())
    const type = this.type()
    const isInitialized = this.take('pi')
    const values = this.until('E', () => (isInitialized ? this.expression() : this.fail()))
    return new Plain((out) => {
      out.add(`${isGlobal ? '::' : ''}${symbol}`)
      if (places.length > 0) out.enclosed('(', () => printList(out, places), ')')
      out.add(' ')
      type.print(out)
      if (values.length > 0) out.enclosed('(', () => printList(out, values), ')')
    }, precedence)
  }

  private conversion(precedence: number): Node {
    const outer = this.triesTemplateArgs
    this.triesTemplateArgs = false
    const type = this.type()
    this.triesTemplateArgs = outer
    const values = this.take('_') ? this.until('E', () => this.expression()) : [this.expression()]
    return new Plain((out) => {
      out.enclosed('(', () => type.print(out), ')')
      out.enclosed('(', () => printList(out, values), ')')
    }, precedence)
  }

  private braced(): Node {
    let path: (out: Output) => void
    if (this.take('di')) {
      const field = this.sourceName()
      path = (out) => {
        out.add('.')
        field.print(out)
      }
    } else if (this.take('dx')) {
      const index = this.expression()
      path = (out) => out.enclosed('[', () => index.print(out), ']')
    } else if (this.take('dX')) {
      const [from, to] = [this.expression(), this.expression()]
      path = (out) => {
        out.add('[')
        from.print(out)
        out.add(' ... ')
        to.print(out)
        out.add(']')
      }
    } else return this.expression()
    const value = this.braced()
    return new Braced((out) => {
      path(out)
      if (!(value instanceof Braced)) out.add(' = ')
      value.print(out)
    })
  }

  /** Reads a function parameter, such as `fp_`, `fL1p2_` or `fpT`. */
  private functionParam(): Node {
    this.expect('f')
    if (this.take('pT')) return this.plain('this')
    if (this.take('L')) this.number()
    this.expect('p')
    this.qualifiers()
    const index = this.number()
    this.expect('_')
    return this.plain(`fp${index}`)
  }

  private fold(): Node {
    this.expect('f')
    const form = this.look()
    if (!'lLrR'.includes(form) || form === '') this.fail()
    this.at++
    const operator = this.operator()
    if (operator?.kind !== 'binary' && !(operator?.kind === 'member' && operator.symbol.endsWith('*'))) this.fail()
    const isLeft = form === 'l' || form === 'L'
    const first = this.expression()
    const second = form === 'L' || form === 'R' ? this.expression() : undefined
    const [pack, start] = isLeft && second ? [second, first] : [first, second]
    const { symbol } = operator as Operator
    const printPack = (out: Output) => out.enclosed('(', () => expansion(pack).print(out), ')')
    return new Plain((out) =>
      out.enclosed(
        '(',
        () => {
          if (isLeft) start?.printOperand(out, PREC.cast, true)
          else printPack(out)
          if (!isLeft || start) out.add(` ${symbol} `)
          out.add('...')
          if (isLeft || start) out.add(` ${symbol} `)
          if (isLeft) printPack(out)
          else start?.printOperand(out, PREC.cast, true)
        },
        ')',
      ),
    )
  }

  /** Reads the requirements between the braces of a `requires` expression. Each requirement prints its own semicolon. */
  private requirements(): Node[] {
    const found: Node[] = []
    do {
      if (this.take('X')) {
        const expression = this.expression()
        const isNoexcept = this.take('N')
        found.push(requirement(expression, isNoexcept, this.take('R') ? this.name() : undefined))
      } else if (this.take('T')) found.push(prefixed('typename ', this.type()))
      else if (this.take('Q')) found.push(prefixed('requires ', this.expression()))
      else this.fail()
    } while (!this.take('E'))
    return found
  }

  private subobject(): Node {
    const type = this.type()
    const base = this.expression()
    const offset = this.number(true)
    while (this.take('_')) this.number()
    this.take('p')
    this.expect('E')
    return new Plain((out) => {
      base.print(out)
      out.add('.<')
      type.print(out)
      out.add(` at offset ${signed(offset === '' ? '0' : offset)}>`)
    })
  }

  private memberConversion(): Node {
    const type = this.type()
    const value = this.expression()
    this.number(true)
    this.expect('E')
    return new Plain((out) => {
      out.enclosed('(', () => type.print(out), ')')
      out.enclosed('(', () => value.print(out), ')')
    }, PREC.unary)
  }
}
