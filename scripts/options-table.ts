import type { Adapter } from '../packages/core/src/settings/definition.ts'
import { nameIn, type OptionName, textsFor } from '../packages/core/src/settings/table.ts'
import { definitionOf, typeText } from './option-sources.ts'

/**
 * Returns a table with the name, meaning, type, default (`@default`) and environment variable (`@env`) of each property in an interface.
 * @throws Error if the interface does not exist or a property has no comment.
 */
export function optionsTable(source: string, interfaceName: string): string {
  const body = new RegExp(`export interface ${interfaceName} \\{\\n([\\s\\S]*?)\\n\\}`).exec(source)?.[1]
  if (body === undefined) throw new Error(`no interface ${interfaceName}`)
  const rows: [string, string, ...string[]][] = []
  const property = /(?:\/\*\*([\s\S]*?)\*\/\s*)?^ {2}(\w+)\??: (.+)$/gm
  for (const [, comment, name, type] of body.matchAll(property)) {
    if (comment === undefined) throw new Error(`${interfaceName}.${name} has no comment`)
    const lines = comment.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trim())
    const tag = (wanted: string) => {
      const line = lines.find((text) => text.startsWith(`@${wanted} `))
      return line === undefined ? '' : line.slice(wanted.length + 2)
    }
    const meaning = lines.filter((line) => line !== '' && !line.startsWith('@')).join(' ')
    const env = tag('env')
    rows.push([`\`${name}\``, meaning, `\`${type}\``, tag('default'), env === '' ? '' : `\`${env}\``])
  }
  return tableOf(rows)
}

const MAX_CELL = 100

function divided(meaning: string): [cell: string, rest: string] {
  const sentences = meaning.split(/(?<=[.!?]) (?=[A-Z`'"])/)
  const fits = (count: number) => sentences.slice(0, count).join(' ').length <= MAX_CELL
  const count = sentences.findLastIndex((_, nth) => fits(nth + 1)) + 1
  if (count === 0) throw new Error(`The first sentence is longer than a cell of a table: ${meaning}`)
  return [sentences.slice(0, count).join(' '), sentences.slice(count).join(' ')]
}

/** Omits empty columns, and moves text that is too long for a cell below the table. */
function tableOf(whole: readonly (readonly [name: string, meaning: string, ...others: string[]])[]): string {
  const details: string[] = []
  const rows = whole.map(([name, meaning, ...others]) => {
    const [cell, rest] = divided(meaning)
    if (rest !== '') details.push(`- ${name}: ${rest}`)
    const long = others.find((other) => other.length > MAX_CELL)
    if (long !== undefined) throw new Error(`${name} has a cell that is too long: ${long}`)
    return [name, cell, ...others]
  })
  const table = tableOfCells(rows)
  return details.length === 0 ? table : [table, '', ...details].join('\n')
}

function tableOfCells(rows: readonly (readonly string[])[]): string {
  const header = ['option', 'meaning', 'type', 'default', 'environment']
  const isUsed = (_: unknown, column: number) => rows.some((cells) => cells[column] !== '')
  const line = (cells: readonly string[]) =>
    `| ${cells
      .filter(isUsed)
      .map((cell) => cell.replaceAll('|', '\\|'))
      .join(' | ')} |`
  return [line(header), `|${'---|'.repeat(header.filter(isUsed).length)}`, ...rows.map(line)].join('\n')
}

/** Removes the padding that the formatter adds to Markdown tables, so that it does not count as a difference. */
export function unaligned(markdown: string): string {
  return markdown.replace(/ *\| */g, '|').replace(/\|-+(?=\|)/g, '|---')
}

export function settingsTable(adapter: Adapter, names: readonly OptionName[]): string {
  const rows = names.map((name): [string, string, ...string[]] => {
    const { description, details = '', default: fallback = '' } = textsFor(adapter, name)
    const [env = ''] = definitionOf(name).env ?? []
    return [
      `\`${nameIn(adapter, name)}\``,
      `${description} ${details}`.trim(),
      `\`${typeText(name)}\``,
      fallback,
      env === '' ? '' : `\`${env}\``,
    ]
  })
  return tableOf(rows)
}
