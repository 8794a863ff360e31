import {
  arrayIn,
  configOf,
  exportedIn,
  isPassedToUnknownFunction,
  type Node,
  objectIn,
  parse,
  propertyOf,
} from './config-ast.ts'
import { insertItem, insertLine, type Splice, spliced } from './splice.ts'

export interface PluginEdit {
  /** Module that provides the plugin as its default export, or as `symup` if `named` is set. */
  from: string
  named?: boolean
  /** Code to insert into the list: a call or the name of a module. Default: `symup()`. */
  call?: string
  /** Path of the plugin list in the config. Default: `['plugins']`. */
  at?: readonly string[]
  /** Additional plugin lists to extend if their parent objects exist. Default: none. */
  also?: readonly (readonly string[])[]
  /** Whether the plugin must precede all other plugins. Default: false. */
  first?: boolean
  /** Code to insert if the first property in `at` is missing. Default: nested objects. */
  made?: string
  /** Name and code of a property to add if the config does not contain it. */
  sets?: readonly [name: string, value: string]
}

/**
 * Adds the plugin to a config file. The formatting of all other code is preserved.
 * @returns the new code, or undefined if the file cannot be changed automatically. If the code already contains the plugin, it is returned
 * unchanged.
 */
export function withPlugin(code: string, edit: PluginEdit): string | undefined {
  const { from, named = false, call = 'symup()', at = ['plugins'], also = [], first = false, made, sets } = edit
  if (code.includes(from)) return code
  const added = changed(code, (program, config) => {
    const others = also.filter(([part = '']) => propertyOf(config, part))
    const inLists = [at, ...others].map((list) => pluginInList(code, program, config, { at: list, call, first, made }))
    if (inLists.includes(undefined)) return undefined
    // Several parts of the config may refer to the same list, which must be changed only once.
    const distinct = new Map(inLists.map((inList) => [JSON.stringify(inList), inList]))
    const splices = [...distinct.values()].flatMap((inList) => inList ?? [])
    return isCall(call) ? [...splices, importOf(code, program, from, named ? '{ symup }' : 'symup')] : splices
  })
  return added === undefined || sets === undefined ? added : withProperty(added, ...sets)
}

function withProperty(code: string, name: string, value: string): string | undefined {
  return changed(code, (_, config) =>
    propertyOf(config, name) ? [] : insertItem(code, config, config.properties, `${name}: ${value}`),
  )
}

/**
 * Adds the plugin to a list that is stored in a variable, which several configs may share.
 * @returns the same as {@link withPlugin}.
 */
export function withPluginInList(code: string, list: string, from: string): string | undefined {
  if (code.includes(from)) return code
  return edited(code, (program) => {
    const items = arrayIn({ type: 'Identifier', name: list }, program)
    const inList = items && insertItem(code, items, items.elements, 'symup()')
    return inList && [...inList, importOf(code, program, from, 'symup')]
  })
}

/** Returns whether a list item is a plugin call, which requires an import. All other items are module names. */
export function isCall(call: string): boolean {
  return call.includes('symup(')
}

export function newConfig({ from, at = ['plugins'], call = 'symup()', made, sets }: PluginEdit): string {
  const open = at.slice(0, -1).map((name, depth) => `${'  '.repeat(depth + 1)}${name}: {\n`)
  const close = open.map((_, index) => `${'  '.repeat(open.length - index)}},\n`)
  const list = `${'  '.repeat(at.length)}${at.at(-1)}: [${call}],\n`
  const importing = isCall(call) ? `import symup from '${from}'\n\n` : ''
  const set = sets ? `  ${sets.join(': ')},\n` : ''
  const content = made === undefined ? `${open.join('')}${list}${close.join('')}` : `  ${made},\n`
  return `${importing}export default {\n${set}${content}}\n`
}

/**
 * Wraps the exported config in `withSymup(config)`.
 * @returns the same as {@link withPlugin}.
 */
export function withWrapper(code: string, from: string): string | undefined {
  if (code.includes(from)) return code
  return edited(code, (program) => {
    const exported = exportedIn(program)
    return (
      exported && [
        { at: exported.start, text: 'withSymup(' },
        { at: exported.end, text: ')' },
        importOf(code, program, from, 'withSymup'),
      ]
    )
  })
}

export function literalIn(code: string, path: readonly string[]): string | undefined {
  const value = nodeIn(code, path)?.value
  return typeof value === 'string' ? value : undefined
}

/** Works like `literalIn`, but for a template literal with variables, returns the text before the first variable. */
export function beginningIn(code: string, path: readonly string[]): string | undefined {
  return literalIn(code, path) ?? (nodeIn(code, path)?.quasis?.[0]?.value.cooked || undefined)
}

function nodeIn(code: string, path: readonly string[]): Node | undefined {
  let node: Node | undefined
  changed(code, (program, config) => {
    node = config
    for (const name of path) {
      const value: Node | undefined = node && propertyOf(node, name)?.value
      node = value && (objectIn(value, program) ?? value)
    }
    return undefined
  })
  return node
}

type Change = (program: Node, config: Node) => readonly Splice[] | undefined

function changed(code: string, change: Change): string | undefined {
  return edited(code, (program) => {
    const config = configOf(program)
    return config && change(program, config)
  })
}

function edited(code: string, change: (program: Node) => readonly Splice[] | undefined): string | undefined {
  try {
    const program = parse(code)
    const splices = change(program)
    if (!splices) return undefined
    const text = spliced(code, splices)
    parse(text)
    return text
  } catch {
    return undefined // The file cannot be parsed.
  }
}

/**
 * Adds the plugin to a list, which is created if necessary.
 * @returns undefined if the list is not a literal.
 */
function pluginInList(
  code: string,
  program: Node,
  config: Node,
  { at, call, first, made }: Required<Pick<PluginEdit, 'at' | 'call' | 'first'>> & { made: string | undefined },
): readonly Splice[] | undefined {
  let object = config
  for (const [index, name] of at.entries()) {
    const known = propertyOf(object, name)
    if (!known) {
      const isSpread = object.properties.some(({ type }: Node) => type === 'SpreadElement')
      // A new list might replace the list in the spread object, or have no effect.
      if (isSpread || isPassedToUnknownFunction(config, program)) return undefined
      const list = `${at.at(-1)}: [${call}]`
      const nested = at.slice(index, -1).reduceRight((inner, outer) => `${outer}: { ${inner} }`, list)
      return insertItem(code, object, object.properties, index === 0 && made !== undefined ? made : nested)
    }
    if (index === at.length - 1) {
      const list = arrayIn(known.value, program)
      return list && insertItem(code, list, list.elements, call, first)
    }
    const inside = objectIn(known.value, program)
    if (!inside) return undefined
    object = inside
  }
  return undefined
}

export function importByHand(code: string, name: string, from: string): string {
  return /^(?:module\.)?exports\b/m.test(code) ? `const ${name} = require('${from}')` : `import ${name} from '${from}'`
}

/**
 * Returns the line that imports the plugin: `import` in ES modules, and `require` in other files. The line matches the style of the
 * existing imports.
 */
function importOf(code: string, program: Node, from: string, name: string): Splice {
  const body = program.body as Node[]
  const isModule = body.some(({ type }) => /^(?:Import|Export)/.test(type))
  const isOne = isModule ? ({ type }: Node) => type === 'ImportDeclaration' : isRequire
  const last = body.findLast(isOne)
  const before = last && code.slice(last.start, last.end)
  const quote = before?.includes('"') ? '"' : "'"
  const end = before?.endsWith(';') ? ';' : ''
  const module = `${quote}${from}${quote}`
  const line = isModule ? `import ${name} from ${module}${end}` : `const ${name} = require(${module})${end}`
  return insertLine(code, last?.end ?? program.directives?.at(-1)?.end, line)
}

function isRequire({ type, declarations }: Node): boolean {
  return type === 'VariableDeclaration' && declarations[0]?.init?.callee?.name === 'require'
}
