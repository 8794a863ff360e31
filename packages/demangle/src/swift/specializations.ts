import { type Node, node, unknown } from './node.ts'
import type { Reader } from './reader.ts'
import { popTypes } from './types.ts'

/** A specialized copy of a function, created by the optimizer. The specialization itself is not printed. */
const SPECIALIZATION = node('Specialization')

export function specialization(reader: Reader, letter: string): Node {
  let kind = letter
  while (kind === 't') {
    reader.natural()
    kind = reader.next()
  }
  if (letter === 't' ? !/^[gGB]$/.test(kind) : !/^[gGBsipP]$/.test(kind)) unknown()
  attributes(reader)
  if (kind === 'p' || kind === 'P') reader.pop('Type')
  else popTypes(reader)
  return SPECIALIZATION
}

function attributes(reader: Reader): boolean {
  reader.take('m')
  const isSerialized = reader.take('q')
  const isAsyncRemoved = reader.take('a')
  const isChanged = reader.take('r')
  if (!/^\d$/.test(reader.next())) unknown()
  return isChanged && !isSerialized && !isAsyncRemoved
}

/** Reads operators that start with `Tf`, which represent function specializations. The values of the arguments precede the operator. */
export function functionSpecialization(reader: Reader): Node {
  if (attributes(reader)) return SPECIALIZATION
  const needs: (() => void)[][] = []
  while (!reader.take('_')) needs.push(argument(reader))
  if (!reader.take('n')) argument(reader)
  for (const need of needs.reverse()) for (const take of need.reverse()) take()
  return SPECIALIZATION
}

/** @returns functions that pop the operands of the argument, in the order of the mangled name. */
function argument(reader: Reader): (() => void)[] {
  const identifier = () => void reader.pop('Identifier')
  const type = () => void reader.pop('Type')
  switch (reader.next()) {
    case 'n':
    case 'x':
    case 'i':
    case 's':
    case 'r':
      return []
    case 'c':
    case 'E':
      return [
        () => {
          reader.popAll('Type')
          identifier()
        },
      ]
    case 'C':
      reader.natural() ?? unknown()
      return []
    case 'e':
      reader.take('D')
      return ownership(reader)
    case 'd':
      return ownership(reader)
    case 'g':
    case 'o':
      reader.take('X')
      return []
    case 'p':
      return constants(reader, identifier, type)
    default:
      return unknown()
  }
}

function ownership(reader: Reader): [] {
  reader.take('G')
  reader.take('O')
  reader.take('X')
  return []
}

function constants(reader: Reader, identifier: () => void, type: () => void): (() => void)[] {
  const needs: (() => void)[] = []
  for (;;) {
    switch (reader.peek()) {
      case 'f':
      case 'g':
        needs.push(identifier)
        break
      case 'S':
        needs.push(type)
        break
      case 'k':
        needs.push(() => {
          type()
          type()
          identifier()
        })
        break
      case 's':
        reader.next()
        if (!/^[bwc]$/.test(reader.peek())) unknown()
        needs.push(identifier)
        break
      case 'i':
      case 'd':
        reader.next()
        reader.natural() ?? unknown()
        continue
      default:
        return needs
    }
    reader.next()
  }
}
