import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { markdown, type Table } from './table.ts'

const root = join(import.meta.dirname, '../..')

/** Pages with tables. Their marks are `<!-- bench upload-M -->` and `<!-- /bench upload-M -->`. */
const PAGES = ['docs/evidence/bundlers.md', 'docs/evidence/uploads.md']

/** Replaces the text between the marks of a table. */
export function writeIntoPages(table: Table, heading: string): void {
  for (const file of PAGES) {
    const path = join(root, file)
    const text = readFileSync(path, 'utf8')
    const marked = new RegExp(`(<!-- bench ${table.name} -->\\n)[\\s\\S]*?(<!-- /bench ${table.name} -->)`)
    const page = `${markdown(table)}\n\n${heading.replace('\n', ' ')}\n`
    const changed = text.replace(marked, (_, open, close) => `${open}${page}${close}`)
    if (changed !== text) writeFileSync(path, changed)
  }
}
