import { parse } from 'acorn'

/** Offsets in the script, in UTF-16 code units: of its own begin and end, of its name, and of the class's name when it is a member. */
export interface ScriptFunction {
  start: number
  end: number
  name?: number
  owner?: number
  isConstructor: boolean
  /** Number of the function that it stands in. */
  around?: number
}

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

/**
 * All functions of a script in order of their start, so that the last one that holds a position is the innermost; none when it cannot be parsed. Takes some 100 bytes
 * of memory for each byte of the script.
 */
export function findFunctions(script: string): ScriptFunction[] {
  const functions: ScriptFunction[] = []
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
      if (key === 'body' && /^Class(?:Declaration|Expression)$/.test(node.type) && isNode(value)) {
        for (const member of value.body as Node[]) {
          const key = member.computed ? undefined : (member.key as Node | undefined)?.start
          push(member.value ?? member, key, own, member.kind === 'constructor')
        }
      } else if (key === 'init' && isNode(node.id)) push(value, node.id.start)
      else if (key === 'right' && /^Assignment/.test(node.type)) push(value, targetOf(node.left as Node))
      else if (key === 'value' && node.type === 'Property' && !node.computed) push(value, (node.key as Node).start)
      else if (Array.isArray(value)) for (const child of value) push(child)
      else push(value)
    }
  }
  functions.sort((a, b) => a.start - b.start)
  let last: number | undefined
  for (const [index, item] of functions.entries()) {
    while (last !== undefined && (functions[last] as ScriptFunction).end <= item.start) last = functions[last]?.around
    if (last !== undefined) item.around = last
    last = index
  }
  return functions
}

function targetOf(left: Node): number {
  return left.type === 'MemberExpression' ? (left.property as Node).start : left.start
}

function parseScript(script: string): unknown {
  for (const sourceType of ['module', 'script'] as const) {
    try {
      return parse(script, { ecmaVersion: 'latest', sourceType, allowReturnOutsideFunction: true })
    } catch {
      // The other kind may fit; else there are no names.
    }
  }
  return undefined
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}
