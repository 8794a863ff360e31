import { lineAt, lineStartsOf } from '@symup/core/internal'
import { parse } from 'acorn'
import type { SourceMap } from './source-map.ts'

/** Larger scripts are not parsed: it would take seconds. */
const MAX_SCRIPT_BYTES = 20 * 1024 * 1024

/** Characters that are looked at for a name. */
const MAX_NAME = 1000

/** Offset of a name in the script, and of the class's name when it is a member. */
interface NamedFunction {
  start: number
  end: number
  name?: number
  owner?: number
  isConstructor: boolean
  /** The function that it stands in. */
  around?: NamedFunction
}

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

/** Tells which function of the original source a position of the minified file is in. */
export interface FunctionNames {
  nameAt(line: number, column: number): string | undefined
}

/** @returns names for nothing when the script cannot be parsed. */
export function analyseFunctions(script: string, map: SourceMap): FunctionNames {
  const functions = script.length > MAX_SCRIPT_BYTES ? [] : findFunctions(script)
  const lineStarts = lineStartsOf(script)

  const originalName = (offset: number): string | undefined => {
    const line = lineAt(offset, lineStarts)
    const found = map.originalAt(line + 1, offset - (lineStarts[line] as number) + 1)
    if (!found) return undefined
    if (found.name !== undefined) return found.name
    const text = map.sourceText(found.source)?.lineFrom(found.line, found.column, MAX_NAME)
    return /^#?[\p{ID_Start}$_][\p{ID_Continue}$]*/u.exec(text ?? '')?.[0]
  }

  return {
    nameAt(line, column) {
      const offset = (lineStarts[line - 1] ?? Number.POSITIVE_INFINITY) + column - 1
      const inner = innermostAt(functions, offset)
      if (inner?.name === undefined) return undefined
      const owner = inner.owner === undefined ? undefined : originalName(inner.owner)
      if (inner.isConstructor) return owner
      const name = originalName(inner.name)
      if (name === undefined || RESERVED.has(name)) return undefined
      return owner === undefined ? name : `${owner}.${name}`
    },
  }
}

/** A mapping that falls on one of these points at the construct, not at a name. */
const RESERVED = new Set(
  (
    'async await break case catch class const continue debugger default delete do else export extends finally for function get if ' +
    'import in instanceof let new of return set static super switch this throw try typeof var void while with yield'
  ).split(' '),
)

/** @param functions as `findFunctions` returns them. */
function innermostAt(functions: readonly NamedFunction[], offset: number): NamedFunction | undefined {
  let low = 0
  let high = functions.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((functions[middle] as NamedFunction).start <= offset) low = middle + 1
    else high = middle
  }
  let found = functions[low - 1]
  while (found && offset >= found.end) found = found.around
  return found
}

/** All functions in order of their start, so that the last one that holds a position is the innermost. */
function findFunctions(script: string): NamedFunction[] {
  const functions: NamedFunction[] = []
  const pending: { node: Node; name: number | undefined; owner: number | undefined; isConstructor: boolean }[] = []
  const push = (value: unknown, name?: number, owner?: number, isConstructor = false) => {
    if (isNode(value)) pending.push({ node: value, name, owner, isConstructor })
  }
  push(parseScript(script))
  for (let item = pending.pop(); item; item = pending.pop()) {
    const { node, name, owner, isConstructor } = item
    const own = isNode(node.id) ? node.id.start : name
    if (/Function/.test(node.type)) {
      functions.push({
        start: node.start,
        end: node.end,
        isConstructor,
        ...(own !== undefined && { name: own }),
        ...(owner !== undefined && { owner }),
      })
    }
    for (const [key, value] of Object.entries(node)) {
      if (key === 'id' && /Function|Class/.test(node.type)) continue
      if (key === 'body' && /^Class(?:Declaration|Expression)$/.test(node.type) && isNode(value)) {
        for (const member of value.body as Node[]) {
          const key = member.computed ? undefined : (member.key as Node | undefined)?.start
          push(member.value ?? member, key, member.value ? own : undefined, member.kind === 'constructor')
        }
      } else if (key === 'init' && isNode(node.id)) push(value, node.id.start)
      else if (key === 'right' && isNode(node.left)) push(value, targetOf(node.left))
      else if (key === 'value' && node.type === 'Property' && !node.computed) push(value, (node.key as Node).start)
      else if (Array.isArray(value)) for (const child of value) push(child)
      else push(value)
    }
  }
  functions.sort((a, b) => a.start - b.start || b.end - a.end)
  let last: NamedFunction | undefined
  for (const item of functions) {
    while (last && last.end <= item.start) last = last.around
    if (last) item.around = last
    last = item
  }
  return functions
}

function targetOf(left: Node): number {
  return left.type === 'MemberExpression' && isNode(left.property) ? left.property.start : left.start
}

function parseScript(script: string): unknown {
  for (const sourceType of ['module', 'script'] as const) {
    try {
      return parse(script, { ecmaVersion: 'latest', sourceType, allowHashBang: true, allowReturnOutsideFunction: true })
    } catch {
      // The other kind may fit; else there are no names.
    }
  }
  return undefined
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}
