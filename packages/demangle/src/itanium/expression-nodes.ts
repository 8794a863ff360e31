import { type Node, Plain, PREC, printList } from './nodes.ts'
import type { Output } from './output.ts'

/** Designated initializers, such as `.field = value` and `[2] = value`. */
export class Braced extends Plain {}

/** Decodes a number that uses `n` as the minus sign: `n5` is -5. */
export const signed = (digits: string) => (digits.startsWith('n') ? `-${digits.slice(1)}` : digits)

export const withPrefix = (prefix: string, node: Node) => (out: Output) => {
  out.add(prefix)
  node.print(out)
}

export function binary(left: Node, symbol: string, right: Node, precedence: number): Node {
  const isAssignment = precedence === PREC.assign
  const print = (out: Output) => {
    left.printOperand(out, isAssignment ? PREC.orIf : precedence, !isAssignment)
    out.add(symbol === ',' ? ', ' : ` ${symbol} `)
    right.printOperand(out, precedence, isAssignment)
  }
  return new Plain((out) => {
    const closesList = out.openBrackets === 0 && (symbol === '>' || symbol === '>>')
    if (closesList) out.enclosed('(', () => print(out), ')')
    else print(out)
  }, precedence)
}

export function unary(symbol: string, operand: Node, precedence: number, operandPrecedence = precedence): Node {
  return new Plain((out) => {
    out.add(symbol)
    operand.printOperand(out, operandPrecedence)
  }, precedence)
}

export function called(prefix: string, inner: Node, precedence: number = PREC.primary): Node {
  return new Plain((out) => {
    out.add(prefix)
    out.enclosed('(', () => inner.print(out), ')')
  }, precedence)
}

export function call(callee: Node, args: readonly Node[], precedence: number, isBracketed = false): Node {
  return new Plain((out) => {
    if (isBracketed) out.enclosed('(', () => callee.print(out), ')')
    else callee.print(out)
    out.enclosed('(', () => printList(out, args), ')')
  }, precedence)
}

export function initializer(type: Node | undefined, values: readonly Node[]): Node {
  return new Plain((out) => {
    type?.print(out)
    out.add('{')
    printList(out, values)
    out.add('}')
  })
}

export function requiresExpression(parameters: readonly Node[], requirements: readonly Node[]): Node {
  return new Plain((out) => {
    out.add('requires')
    if (parameters.length > 0) {
      out.add(' ')
      out.enclosed('(', () => printList(out, parameters), ')')
    }
    out.add(' ')
    out.enclosed(
      '{',
      () => {
        for (const requirement of requirements) {
          out.add(' ')
          requirement.print(out)
          out.add(';')
        }
        out.add(' ')
      },
      '}',
    )
  })
}

/** Prints one requirement, such as `x.pay()` or `{x.pay()} noexcept -> Paid`. */
export function requirement(expression: Node, isNoexcept: boolean, type: Node | undefined): Node {
  return new Plain((out) => {
    if (isNoexcept || type) out.enclosed('{', () => expression.print(out), '}')
    else expression.print(out)
    if (isNoexcept) out.add(' noexcept')
    if (!type) return
    out.add(' -> ')
    type.print(out)
  })
}
