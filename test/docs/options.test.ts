import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configSchema, type OptionsOf, resolveSettings } from '@symup/core'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import type { SymupOptions as HvigorOptions } from '../../packages/hvigor/src/options.ts'
import type { MiniProgramOptions } from '../../packages/mini-program/src/options.ts'
import type { SymupOptions } from '../../packages/unplugin/src/options.ts'
import { namesIn, typeText } from '../../scripts/option-sources.ts'
import { ROOT } from '../support/build-fixture.ts'
import { useDirectory } from '../support/directory.ts'

/** True only for equal types. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? (keyof A extends keyof B ? true : false) : false) : false

it('declares the options of every plugin with the types from the settings table', () => {
  const same: [
    // The table cannot import the type of a verdict.
    Same<
      Omit<SymupOptions, 'strict' | 'serverOutputs' | 'allowLeaks' | 'onVerdict'>,
      Omit<OptionsOf<'bundler'>, 'onVerdict'>
    >,
    Same<MiniProgramOptions, OptionsOf<'mini-program'>>,
    Same<Omit<HvigorOptions, 'hvigor'>, OptionsOf<'hvigor'>>,
  ] = [true, true, true]
  expect(same).toHaveLength(3)
  // @ts-expect-error: a site of the platform has one of two names.
  const options: SymupOptions = { site: 'MARS' }
  expect(options.site).toBe('MARS')
})

it('documents every option in the published declarations of the hvigor plugin', () => {
  const declarations = readFileSync(join(ROOT, 'packages/hvigor/src/index.d.cts'), 'utf8')
  const members = [...declarations.matchAll(/\*\/\s+(\w+)\?: (.+)/g)].map(([, name, type]) => `${name}: ${type}`)
  const { hvigor: _, ...declared } = Object.fromEntries(members.map((it) => it.split(': ')))
  expect(declared).toEqual(Object.fromEntries(namesIn('hvigor').map((name) => [name, typeText(name)])))
})

describe('the schema of symup.json', () => {
  const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(configSchema())
  const complete = { apiKey: 'secret-key', version: '1.0.0' }
  const root = useDirectory()

  const problemsWith = (content: object) => {
    writeFileSync(join(root, 'symup.json'), JSON.stringify(content))
    const options = 'service' in content ? complete : { ...complete, service: 'shop' }
    return resolveSettings({ options, cwd: root, env: {}, needsPrefix: false }).problems
  }

  it.each([
    {},
    { $schema: 'https://unpkg.com/@symup/core/symup.schema.json', service: 'shop', site: 'CN', proxy: '' },
    { endpoint: 'https://intake.example.com', ca: 'own.pem', cacheDirectory: '.cache' },
  ])('accepts %j, as symup does', (content) => {
    expect(validate(content)).toBe(true)
    expect(problemsWith(content)).toEqual([])
  })

  it.each([{ endpiont: 'x' }, { site: 'MARS' }, { service: 3 }, { service: '' }, { deleteAfterUpload: true }])(
    'refuses %j, as symup does',
    (content) => {
      expect(validate(content)).toBe(false)
      expect(problemsWith(content)).toHaveLength(1)
    },
  )

  it('publishes the schema as a file', () => {
    expect(JSON.parse(readFileSync(join(ROOT, 'packages/core/symup.schema.json'), 'utf8'))).toEqual(configSchema())
    const { files, exports } = JSON.parse(readFileSync(join(ROOT, 'packages/core/package.json'), 'utf8'))
    expect(files).toContain('symup.schema.json')
    expect(exports['./symup.schema.json']).toBe('./symup.schema.json')
  })
})
