import { parseModule } from 'magicast'

/** A node in Babel's syntax tree. Only the fields that this package uses are typed. */
export interface Node {
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: one shape for every kind of node.
  [field: string]: any
}

/**
 * Parses code. Positions refer to the original text, regardless of tabs and line terminators.
 * @throws an error from the parser.
 */
export function parse(code: string): Node {
  // The parser normalizes tabs and line terminators, which would shift positions. Replacing tabs and carriage returns with spaces prevents
  // this.
  return parseModule(code.replace(/\t|\r/g, ' ')).$ast as unknown as Node
}

/**
 * Finds the config object. A config file may export an object, a variable, a call such as `defineConfig(…)`, or a function that returns the
 * object.
 */
export function configOf(program: Node): Node | undefined {
  return objectIn(exportOf(program) ?? configByName(program) ?? buildCallIn(program)?.arguments[0], program)
}

/** Finds a config that is exported by name. For example, Stencil's config file contains `export const config = {…}`. */
function configByName(program: Node): Node | undefined {
  return (program.body as Node[])
    .flatMap(({ type, declaration }) => (type === 'ExportNamedDeclaration' ? (declaration?.declarations ?? []) : []))
    .find(({ id }) => id.name === 'config')?.init
}

export function exportedIn(program: Node): Node | undefined {
  const exported = exportOf(program)
  return exported?.type.endsWith('Declaration') ? undefined : exported
}

function exportOf(program: Node): Node | undefined {
  for (const { type, declaration, expression } of program.body as Node[]) {
    if (type === 'ExportDefaultDeclaration') return declaration
    const { object, property: name } = (expression?.left ?? {}) as Partial<Node>
    if (object?.name === 'module' && name?.name === 'exports') return expression.right
  }
  return undefined
}

/**
 * Finds the config in a build script. Build scripts have no exports, so their config is the argument of `build({…})`, `Bun.build({…})` or
 * `esbuild.context({…})`.
 */
function buildCallIn(program: Node): Node | undefined {
  return search(program, ({ type, callee }) => {
    const called = callee?.property?.name ?? callee?.name
    return type === 'CallExpression' && /^(?:build|buildSync|context)$/.test(String(called))
  })
}

const BESIDE = new Set(['loc', 'tokens', 'comments', 'original', 'extra'])

/** Searches a syntax tree. Nodes for which `isOutside` returns true are skipped. */
export function search(
  node: unknown,
  test: (node: Node) => boolean,
  isOutside: (node: Node) => boolean = () => false,
): Node | undefined {
  if (typeof node !== 'object' || node === null) return undefined
  if (!Array.isArray(node) && typeof (node as Node).type === 'string') {
    if (isOutside(node as Node)) return undefined
    if (test(node as Node)) return node as Node
  }
  for (const [field, value] of Object.entries(node)) {
    const found = BESIDE.has(field) ? undefined : search(value, test, isOutside)
    if (found) return found
  }
  return undefined
}

export function objectIn(node: Node | null | undefined, program: Node): Node | undefined {
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

/**
 * Returns the config from the arguments of `defineConfig(…)` or `merge({}, config, …)`. Skips the empty object, which is only the merge
 * target.
 */
function argumentIn(given: Node[], program: Node): Node | undefined {
  const objects = given.flatMap((it) => objectIn(it, program) ?? [])
  return objects.find((it) => it.properties.length > 0) ?? objects[0]
}

/** Packages whose functions return the config that is passed to them, unchanged or merged with others. */
const PASSING_ON =
  /^(?:vite|vitest|esbuild|rolldown|rolldown-vite|rollup|astro|nuxt|electron-vite|webpack-merge|defu|wxt|@nuxt\/kit|@rsbuild\/core|@rspack\/c(?:li|ore)|@farmfe\/core|vitepress|#q-app|(?:#q-app|quasar)\/wrappers)(?:\/config)?$/

/**
 * Returns whether the config is passed to an unknown function, such as `defineConfig` from an internal package. Such a function may expect
 * a different format.
 */
export function isPassedToUnknownFunction(config: Node, program: Node): boolean {
  const holds = (node: unknown) => search(node, (it) => it === config) !== undefined
  const call = search(program, (it) => {
    if (it.type !== 'CallExpression' || it.callee.type !== 'Identifier' || !it.arguments.some(holds)) return false
    const module = moduleOf(it.callee.name, program)
    // A function that is not declared in the file is assumed to be a global that the tool provides, such as `defineNuxtConfig`.
    return module === undefined ? declarationOf(it.callee.name, program) !== undefined : !PASSING_ON.test(module)
  })
  return call !== undefined
}

function moduleOf(name: string, program: Node): string | undefined {
  const imported = (program.body as Node[]).find(
    ({ type, specifiers }) => type === 'ImportDeclaration' && specifiers.some((it: Node) => it.local?.name === name),
  )
  if (imported) return imported.source.value
  const required = search(
    program,
    ({ type, id, init }) =>
      type === 'VariableDeclarator' &&
      init?.callee?.name === 'require' &&
      (id.name === name || id.properties?.some((it: Node) => it.value?.name === name)),
  )
  return required?.init.arguments[0]?.value
}

function declarationOf(name: string, program: Node): Node | undefined {
  const found = search(
    program,
    ({ type, id }) => (type === 'VariableDeclarator' || type === 'FunctionDeclaration') && id?.name === name,
  )
  return found?.type === 'VariableDeclarator' ? found.init : found
}

/** Returns the array literal behind an expression, such as a variable or `[…].filter(Boolean)`. */
export function arrayIn(node: Node | undefined, program: Node): Node | undefined {
  if (node?.type === 'ArrayExpression') return node
  if (node?.type === 'Identifier') return arrayIn(declarationOf(node.name, program), program)
  if (node?.type === 'TSAsExpression') return arrayIn(node.expression, program)
  if (node?.type === 'CallExpression' && node.callee.type === 'MemberExpression')
    return arrayIn(node.callee.object, program)
  return undefined
}

export function propertyOf(object: Node, name: string): Node | undefined {
  return (object.properties as Node[]).find((it) => (it.key?.name ?? it.key?.value) === name)
}
