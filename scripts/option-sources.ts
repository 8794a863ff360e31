import type { Adapter, PluginAdapter, SettingDefinition } from '../packages/core/src/settings/definition.ts'
import { SETTINGS } from '../packages/core/src/settings/definitions.ts'
import { DEFINITIONS, nameIn, type OptionName, textsFor } from '../packages/core/src/settings/table.ts'

export function namesIn(adapter: Adapter): OptionName[] {
  return DEFINITIONS.map(([name]) => name).filter((name) => nameIn(adapter, name) !== undefined)
}

export function typeText(name: OptionName): string {
  const { type, values, mayBeBoolean, mayBeFunction, fields, signature = '' } = definitionOf(name)
  if (values) return values.map((value) => `'${value}'`).join(' | ')
  return {
    string: `string${mayBeFunction ? ' | ((file: string, output: FileOutput) => string)' : ''}`,
    path: 'string',
    function: signature,
    boolean: 'boolean',
    integer: 'number',
    list: `${mayBeBoolean ? 'boolean | ' : ''}string | readonly string[]`,
    map: `${mayBeBoolean ? 'boolean | ' : ''}${fields ? `{ ${fields.map((field) => `${field}?: string`).join('; ')} }` : 'Readonly<Record<string, string>>'}`,
  }[type]
}

/** Returns the options that have the same documentation in the bundler plugins and in the mini-program plugins. */
export function sharedNames(): OptionName[] {
  const isSame = (name: OptionName) => comment('bundler', name, '') === comment('mini-program', name, '')
  return namesIn('mini-program').filter((name) => namesIn('bundler').includes(name) && isSame(name))
}

export function membersOf(adapter: PluginAdapter, names: readonly OptionName[], indent = '  '): string {
  return names
    .flatMap((name) => {
      const { formerly } = definitionOf(name)
      const member = `${comment(adapter, name, indent)}${indent}${name}?: ${typeText(name)}`
      if (formerly === undefined) return [member]
      return [
        member,
        `${indent}/** @deprecated Renamed to \`${name}\`. The old name still works. */\n${indent}${formerly}?: ${typeText(name)}`,
      ]
    })
    .join('\n')
}

export function gradleFields(level: 'variant' | 'application'): string {
  return gradleNames(level)
    .map((name) => {
      const { description, details, default: fallback } = textsFor('gradle', name)
      const { values } = definitionOf(name)
      const choice = values && `One of ${values.map((value) => `\`${value}\``).join(', ')}.`
      const texts = [description, choice, details, fallback && `Default: ${fallback}.`].filter(
        (text) => text !== undefined,
      )
      return `    /** ${texts.join(' ')} */\n    Object ${nameIn('gradle', name)}\n`
    })
    .join('')
}

export function gradleSettings(): string {
  const settings = gradleNames('variant').filter((name) => definitionOf(name).env !== undefined)
  return `    static final Map<String, String> FIELD_OF = [${settings.map((name) => `${name}: '${nameIn('gradle', name)}'`).join(', ')}]\n`
}

function gradleNames(level: 'variant' | 'application'): OptionName[] {
  return namesIn('gradle').filter((name) => (definitionOf(name).gradleLevel ?? 'variant') === level)
}

function comment(adapter: Adapter, name: OptionName, indent: string): string {
  const { description, details, default: fallback } = textsFor(adapter, name)
  const env = definitionOf(name).env?.[0]
  const lines = [description, details, env && `@env ${env}`, fallback && `@default ${fallback}`]
  const text = lines.filter((line) => line !== undefined).map((line) => `${indent} * ${line}\n`)
  return `${indent}/**\n${text.join('')}${indent} */\n`
}

export function definitionOf(name: OptionName): SettingDefinition {
  return SETTINGS[name]
}
