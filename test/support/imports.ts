import { readFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'

// biome-ignore lint/suspicious/noExplicitAny: any node of a syntax tree
type Node = any

/** A file's imports as written, including type-only imports. */
export function importsOf(file: string): string[] {
  const found: string[] = []
  const visit = (node: Node) => {
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) return node.forEach(visit)
    const source = node.source ?? (node.type === 'TSImportType' ? node.argument : undefined)
    const isImport = /^(?:Import(?:Declaration|Expression)|Export(?:Named|All)Declaration|TSImportType)$/.test(
      node.type,
    )
    if (isImport && typeof source?.value === 'string') found.push(source.value)
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseAst(readFileSync(file, 'utf8'), { lang: file.endsWith('x') ? 'tsx' : 'ts' }))
  return found
}
