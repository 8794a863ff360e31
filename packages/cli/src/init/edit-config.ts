import { generateCode, parseExpression, parseModule } from 'magicast'

/** A node of the syntax tree, as Babel has it; only what is looked at. */
interface Node {
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: one shape for every kind of node.
  [field: string]: any
}

export interface PluginEdit {
  /** Module that exports the plugin by default, or `symup` by name where `named`. */
  from: string
  named?: boolean
  /** The call in the list of plugins. Default `symup()`. */
  call?: string
  /** Where the list is in the config. Default `['plugins']`. */
  at?: readonly string[]
  /** Put the plugin before all others. Default false. */
  first?: boolean
}

/**
 * Adds the plugin to a config file, and keeps the format of everything else.
 * @returns undefined where the file is too unusual to be changed by a program; the same text where the plugin is there already.
 */
export function withPlugin(code: string, edit: PluginEdit): string | undefined {
  const { from, named = false, call = 'symup()', at = ['plugins'], first = false } = edit
  if (code.includes(from)) return code
  return changed(code, (program, config) => {
    const list = listAt(config, at, program)
    if (!list) return false
    const plugin = expression(call)
    if (first) list.elements.unshift(plugin)
    else list.elements.push(plugin)
    if (call.includes('symup(')) addImport(program, from, named)
    return true
  })
}

/** A config file with the plugin and nothing else. */
export function newConfig({ from, at = ['plugins'], call = 'symup()' }: PluginEdit): string {
  const open = at.slice(0, -1).map((name, depth) => `${'  '.repeat(depth + 1)}${name}: {\n`)
  const close = open.map((_, index) => `${'  '.repeat(open.length - index)}},\n`)
  const list = `${'  '.repeat(at.length)}${at.at(-1)}: [${call}],\n`
  return `import symup from '${from}'\n\nexport default {\n${open.join('')}${list}${close.join('')}}\n`
}

/** Sets a property at the top of a config file unless it is there; as `withPlugin`. */
export function withProperty(code: string, name: string, value: string): string | undefined {
  return changed(code, (_, config) => {
    if (!propertyOf(config, name)) config.properties.push(property(name, expression(value)))
    return true
  })
}

/** The text of a property at the top of a config file, where it is a literal. */
export function literalIn(code: string, path: readonly string[]): string | undefined {
  let found: string | undefined
  changed(code, (program, config) => {
    let node: Node | undefined = config
    for (const name of path) {
      const value: Node | undefined = node && propertyOf(node, name)?.value
      node = value && (objectIn(value, program) ?? value)
    }
    if (typeof node?.value === 'string') found = node.value
    return false
  })
  return found
}

function changed(code: string, change: (program: Node, config: Node) => boolean): string | undefined {
  try {
    const module = parseModule(code)
    const program = module.$ast as unknown as Node
    const config = configOf(program)
    if (!config || !change(program, config)) return undefined
    const text = generateCode(module).code.trimEnd()
    // The printer sets what is new apart from its neighbours.
    const spaced = text
      .replace(/^(import .*)\n\n(import .*\bsymup\b)/m, '$1\n$2')
      .replace(/^((?:import .* from |const .* = require\()['"]@symup\/[\w/-]+['"]\)?;?)(?=[^\s;)])/m, '$1\n\n')
    return `${spaced}\n`
  } catch {
    return undefined // It does not parse.
  }
}

/** The object that a config file exports: by itself, by name, through `defineConfig(…)` or a function that returns it. */
function configOf(program: Node): Node | undefined {
  for (const statement of program.body as Node[]) {
    if (statement.type === 'ExportDefaultDeclaration') return objectIn(statement.declaration, program)
    const { expression: assigned } = statement
    if (assigned?.type !== 'AssignmentExpression') continue
    const { object, property: name } = assigned.left as Node
    if (object?.name === 'module' && name?.name === 'exports') return objectIn(assigned.right, program)
  }
  return objectIn(buildCallIn(program)?.arguments[0], program)
}

/** `build({…})`, `Bun.build({…})`, `esbuild.context({…})`: a build script has no config to export. */
function buildCallIn(program: Node): Node | undefined {
  return search(program, ({ type, callee }) => {
    const called = callee?.property?.name ?? callee?.name
    return type === 'CallExpression' && /^(?:build|buildSync|context)$/.test(String(called))
  })
}

/** Not part of the program: places, comments, and what the printer remembers. */
const BESIDE = new Set(['loc', 'tokens', 'comments', 'original', 'extra'])

/** The first node below this one, itself included, that passes the test. */
function search(node: unknown, test: (node: Node) => boolean): Node | undefined {
  if (typeof node !== 'object' || node === null) return undefined
  if (!Array.isArray(node) && typeof (node as Node).type === 'string' && test(node as Node)) return node as Node
  for (const [field, value] of Object.entries(node)) {
    const found = BESIDE.has(field) ? undefined : search(value, test)
    if (found) return found
  }
  return undefined
}

function objectIn(node: Node | null | undefined, program: Node): Node | undefined {
  switch (node?.type) {
    case 'ObjectExpression':
      return node
    case 'TSSatisfiesExpression':
    case 'TSAsExpression':
    case 'ParenthesizedExpression':
    case 'AwaitExpression':
      return objectIn(node.expression ?? node.argument, program)
    case 'CallExpression':
      return argumentIn(node.arguments, program)
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'FunctionDeclaration':
      return node.body.type === 'BlockStatement'
        ? (node.body.body as Node[])
            .filter((it) => it.type === 'ReturnStatement')
            .map((it) => objectIn(it.argument, program))
            .at(-1)
        : objectIn(node.body, program)
    case 'Identifier':
      return objectIn(declarationOf(node.name, program), program)
    default:
      return undefined
  }
}

/** `defineConfig(…)`, and `merge({}, config, …)`, where the empty one only takes what is merged. */
function argumentIn(given: Node[], program: Node): Node | undefined {
  const objects = given.flatMap((it) => objectIn(it, program) ?? [])
  return objects.find((it) => it.properties.length > 0) ?? objects[0]
}

function declarationOf(name: string, program: Node): Node | undefined {
  const found = search(
    program,
    ({ type, id }) => (type === 'VariableDeclarator' || type === 'FunctionDeclaration') && id?.name === name,
  )
  return found?.type === 'VariableDeclarator' ? found.init : found
}

/** The array at a path, made where it is missing. */
function listAt(config: Node, path: readonly string[], program: Node): Node | undefined {
  let object = config
  for (const [index, name] of path.entries()) {
    const isList = index === path.length - 1
    const known = propertyOf(object, name)
    if (!known) {
      const made = expression(isList ? '[]' : '{}')
      object.properties.push(property(name, made))
      object = made
    } else {
      const inside = isList ? arrayIn(known.value, program) : objectIn(known.value, program)
      if (!inside) return undefined
      object = inside
    }
  }
  return object
}

/** `[…]`, also behind a name or in `[…].filter(Boolean)`. */
function arrayIn(node: Node | undefined, program: Node): Node | undefined {
  if (node?.type === 'ArrayExpression') return node
  if (node?.type === 'Identifier') return arrayIn(declarationOf(node.name, program), program)
  if (node?.type === 'TSAsExpression') return arrayIn(node.expression, program)
  if (node?.type === 'CallExpression' && node.callee.type === 'MemberExpression')
    return arrayIn(node.callee.object, program)
  return undefined
}

function propertyOf(object: Node, name: string): Node | undefined {
  return (object.properties as Node[]).find((it) => (it.key?.name ?? it.key?.value) === name)
}

function property(name: string, value: Node): Node {
  const [made] = expression(`{ ${name}: 0 }`).properties as [Node]
  made.value = value
  return made
}

function expression(code: string): Node {
  // A literal by itself comes out as its value.
  return (parseExpression<unknown[]>(`[${code}]`).$ast as unknown as Node).elements[0]
}

/** `import` where the file has some or exports so, else `require`; after the others. */
function addImport(program: Node, from: string, named: boolean): void {
  const body = program.body as Node[]
  const isModule = body.some(({ type }) => /^(?:Import|Export)/.test(type))
  const name = named ? '{ symup }' : 'symup'
  const line = isModule ? `import ${name} from '${from}'` : `const ${name} = require('${from}')`
  const [statement] = (parseModule(line).$ast as unknown as Node).body as [Node]
  const last = body.findLastIndex(({ type }) => type === 'ImportDeclaration')
  // Before the first statement a comment of the file would move.
  const directives = isModule ? last + 1 : 0
  const first = body[0]
  if (last === -1 && first?.comments) {
    statement.comments = first.comments
    first.comments = null
  }
  body.splice(directives, 0, statement)
}
