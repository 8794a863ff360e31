import { createRequire } from 'node:module'
import type { Options } from 'acorn'

/**
 * A function in a script. All offsets are in UTF-16 code units. `name` is the start of the function name. For class members, `owner` is the
 * start of the class name.
 */
export interface ScriptFunction {
  start: number
  end: number
  name?: number
  owner?: number
  isConstructor: boolean
  around?: number
}

/**
 * Returns all functions in a script, sorted by their start. The last function that contains a position is therefore the innermost one. The
 * list is empty if the script cannot be parsed.
 */
export function findFunctions(script: string): ScriptFunction[] {
  const functions = parsed(script).sort((a, b) => a.start - b.start)
  let last: number | undefined
  for (const [index, item] of functions.entries()) {
    while (last !== undefined && (functions[last] as ScriptFunction).end <= item.start) last = functions[last]?.around
    if (last !== undefined) item.around = last
    last = index
  }
  return functions
}

/** acorn is loaded on demand, because it is large and many threads never parse a script. */
let FunctionFinder: ReturnType<typeof finderOn> | undefined

function parsed(script: string): ScriptFunction[] {
  FunctionFinder ??= finderOn(createRequire(import.meta.url)('acorn').Parser)
  for (const sourceType of ['module', 'script'] as const) {
    try {
      const parser = new FunctionFinder({ ecmaVersion: 'latest', sourceType, allowReturnOutsideFunction: true }, script)
      parser.parse()
      return parser.functions
    } catch {
      // Try the other source type (script or module).
    }
  }
  return []
}

interface Node {
  type: string
  start: number
  end: number
  computed: boolean
  kind?: string
  id?: Node | null
  key: Node
  value?: Node | null
  init?: Node | null
  left: Node
  right: Node
  property: Node
  expression: Node
  argument?: Node | null
  arguments: Node[]
  body: { body?: unknown }
  found?: ScriptFunction
  members?: ScriptFunction[]
}

interface Base {
  parse(): unknown
  finishNode(node: Node, type: string): Node
  finishNodeAt(node: Node, type: string, at: number, location: unknown): Node
}

const LEFT_OUT = { type: 'left out', start: 0, end: 0 } as Node

/**
 * Finds functions while acorn parses a script. The name of a function may come from an enclosing node, which acorn finishes later. To halve
 * the time, error checks are skipped, and nodes that acorn no longer needs are removed.
 */
const finderOn = (Parser: new (options: Options, script: string) => Base) =>
  class extends Parser {
    readonly functions: ScriptFunction[] = []

    override finishNode(node: Node, type: string): Node {
      return this.#see(super.finishNode(node, type))
    }

    override finishNodeAt(node: Node, type: string, at: number, location: unknown): Node {
      return this.#see(super.finishNodeAt(node, type, at, location))
    }

    /** Skips acorn's check for duplicate declarations, which takes quadratic time in the number of functions in a scope. */
    declareName(): void {}

    /** Skips acorn's check for undeclared exports. */
    checkLocalExport(): void {}

    /** Skips acorn's check for reserved words. */
    checkUnreserved(): void {}

    #see(node: Node): Node {
      switch (node.type) {
        case 'FunctionDeclaration':
        case 'FunctionExpression':
        case 'ArrowFunctionExpression': {
          const { start, end, id } = node
          node.found = { start, end, isConstructor: false, ...(id && { name: id.start }) }
          this.functions.push(node.found)
          node.body = LEFT_OUT
          break
        }
        case 'ClassDeclaration':
        case 'ClassExpression':
          node.members = membersOf(node)
          break
        case 'VariableDeclarator':
          if (!node.init) break
          nameIt(node.init, node.id?.start)
          node.init = LEFT_OUT
          break
        case 'AssignmentExpression':
        case 'AssignmentPattern':
          nameIt(node.right, targetOf(node.left))
          break
        case 'Property':
          if (node.value && !node.computed) nameIt(node.value, node.key.start)
          break
        case 'ExpressionStatement':
          // Keep literals, because acorn still checks whether they are directives.
          if (node.expression.type !== 'Literal') node.expression = LEFT_OUT
          break
        case 'ReturnStatement':
          if (node.argument) node.argument = LEFT_OUT
          break
        case 'CallExpression':
        case 'NewExpression':
          node.arguments = []
          break
      }
      return node
    }
  }

function membersOf({ id, body }: Node): ScriptFunction[] {
  const members: ScriptFunction[] = []
  for (const { value, key, computed, kind } of body.body as Node[]) {
    if (!value) continue
    if (!computed) nameIt(value, key.start)
    if (!value.found) continue
    if (kind === 'constructor') value.found.isConstructor = true
    if (id) value.found.owner = id.start
    members.push(value.found)
  }
  return members
}

/** The function's own name takes precedence over the name of the variable to which it is assigned. */
function nameIt({ id, found, members }: Node, name: number | undefined): void {
  if (name === undefined || id) return
  if (found) found.name ??= name
  for (const member of members ?? []) member.owner ??= name
}

const targetOf = (left: Node) => (left.type === 'MemberExpression' ? left.property.start : left.start)
