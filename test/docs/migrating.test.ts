import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { translateFlags } from '../../packages/cli/src/foreign.ts'
import { programOf } from '../../packages/cli/src/program.ts'
import { checkOptions } from '../../packages/core/src/settings/check-options.ts'
import { ROOT } from '../support/build-fixture.ts'

const page = readFileSync(join(ROOT, 'docs/migrating.md'), 'utf8')
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:theirs|-)/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
const flagsIn = (text: string) => [...text.matchAll(/`(--[a-z-]+)/g)].map(([, flag]) => flag as string)

/** Commands, files and group names in the same column. */
const NOT_OPTIONS = new Set(['errorTracking', 'sourceMapsUploadOptions', 'deploys', 'sentry.properties'])

type Command = ReturnType<typeof programOf>
const commands = (function all(command: Command): Command[] {
  return [command, ...command.commands.flatMap(all)]
})(programOf('1.0.0', () => undefined))
const flags = new Set(commands.flatMap(({ options }) => options.map(({ long }) => long)))

it('names only existing symup flags in the migration guide', () => {
  expect(rows.length).toBeGreaterThan(40)
  for (const [, , ours = ''] of rows) for (const flag of flagsIn(ours)) expect(flags, ours).toContain(flag)
})

it('names only existing commands in the migration guide', () => {
  const names = commands.map((it) =>
    [it.parent?.name(), it.name()].filter((name) => name && name !== 'symup').join(' '),
  )
  for (const [, name] of page.matchAll(
    /symup ((?:web|ios|android|flutter|react-native|electron) [a-z-]+|check|explain)/g,
  ))
    expect(names).toContain(name)
})

it('shows flags in bold in the migration guide only if they work unchanged', () => {
  const bold = page.match(/\*\*`--[a-z-]+/g)?.map((text) => text.slice(3)) ?? []
  expect(bold.length).toBeGreaterThan(20)
  for (const flag of bold) {
    const understood = ['web', 'mini-program', 'react-native', 'flutter'].some((kind) => {
      const [, , own] = translateFlags([kind, 'upload', flag, 'x'])
      return own === 'x' || flags.has(own as string)
    })
    expect(understood, flag).toBe(true)
  }
})

it('explains the symup counterpart for each named plugin option', () => {
  const isPlugin = (ours: string) => /^(?:options? |– )/.test(ours)
  const names = rows
    .filter(([, , ours = '']) => isPlugin(ours))
    .flatMap(([, theirs = '']) =>
      [...theirs.matchAll(/`([a-z][A-Za-z]*(?:\.[A-Za-z]+)?)(?:: [^`]*)?`/g)].map(([, name]) => name as string),
    )
  expect(names.length).toBeGreaterThan(40)
  const others = [...new Set(names)].filter((name) => !NOT_OPTIONS.has(name))
  const listed = (name: string) =>
    checkOptions('bundler', { [name]: 'x' }).some(({ fix }) => fix?.includes('Available options'))
  expect(others.filter((name) => [name, `sourcemaps.${name}`, `release.${name}`].every(listed))).toEqual([])
})
