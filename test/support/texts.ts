import { readFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'

// biome-ignore lint/suspicious/noExplicitAny: any node of a syntax tree
type Node = any

/** A text in the source. */
export interface SourceText {
  /** With `{0}` for each value, as in catalogues. */
  key: string
  /** Values that only English grammar needs: `artifact${count === 1 ? '' : 's'}`. */
  grammar: readonly number[]
  /** `t` or `phrase`; absent for a plain literal. */
  tag?: string
  /** The code before it: `startsWith(`, `code:`, `===`. */
  role: string
}

/** Every template and string literal of a file, except names of modules. */
export function textsOf(file: string): SourceText[] {
  const found: SourceText[] = []
  const visit = (node: Node, parent: Node, role: string): void => {
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) {
      for (const it of node) visit(it, parent, role)
      return
    }
    if (/^(?:Import|ExportNamed|ExportAll|TS.*Type)/.test(node.type) && node.type !== 'ImportExpression') {
      if (node.type === 'ExportNamedDeclaration') visit(node.declaration, node, '')
      return
    }
    if (node.type === 'TaggedTemplateExpression') {
      found.push({ ...templateOf(node.quasi), tag: node.tag.name ?? '', role })
      visit(node.quasi.expressions, node, '')
      return
    }
    if (node.type === 'TemplateLiteral') {
      found.push({ ...templateOf(node), role })
      visit(node.expressions, node, '')
      return
    }
    if (node.type === 'Literal' && typeof node.value === 'string') found.push({ key: node.value, grammar: [], role })
    for (const [name, child] of Object.entries(node)) visit(child, node, roleOf(node, name))
  }
  visit(parseAst(readFileSync(file, 'utf8'), { lang: 'ts' }), undefined, '')
  return found
}

function roleOf(node: Node, name: string): string {
  if (node.type === 'CallExpression' && name === 'arguments') {
    const { callee } = node
    return callee.property?.name ?? callee.name ?? ''
  }
  if (node.type === 'BinaryExpression') return node.operator
  if (node.type === 'Property') return name === 'key' ? 'key' : `${node.key.name ?? node.key.value ?? ''}:`
  if (node.type === 'SwitchCase' && name === 'test') return 'case'
  if (node.type === 'MemberExpression') return 'member'
  if (node.type === 'NewExpression') return `new ${node.callee.name ?? ''}`
  return ''
}

function templateOf({ quasis, expressions }: Node): { key: string; grammar: number[] } {
  const key = quasis.map(({ value }: Node, index: number) => `${index === 0 ? '' : `{${index - 1}}`}${value.cooked}`)
  return { key: key.join(''), grammar: expressions.flatMap((it: Node, index: number) => (isGrammar(it) ? index : [])) }
}

/**
 * Whether a node only chooses a grammatical form: in `count === 1 ? '' : 's'`, both are words or parts of one. A name
 * for such a choice also counts.
 */
function isGrammar(node: Node): boolean {
  return (
    node.type === 'ConditionalExpression' &&
    [node.consequent, node.alternate].every(({ type, value }: Node) => type === 'Literal' && /^[a-z]*$/.test(value))
  )
}
