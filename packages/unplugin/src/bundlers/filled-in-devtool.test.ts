import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isFilledInByCommand } from './filled-in-devtool.ts'

let cwd: string
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'symup-rspack-config-'))
  writeFileSync(join(cwd, 'rspack.config.mjs'), "export default { entry: './main.js' }\n")
  writeFileSync(join(cwd, 'plain.config.js'), "module.exports = { entry: './main.js' }\n")
  writeFileSync(join(cwd, 'webpack.config.js'), 'module.exports = (options) => ({ ...options, plugins: [] })\n')
  writeFileSync(join(cwd, 'own.config.js'), 'module.exports = { devtool: false }\n')
})
afterAll(() => rmSync(cwd, { recursive: true }))

const COMMAND = ['node', '/app/node_modules/.bin/rspack', 'build']
const NEST = ['node', '/app/node_modules/.bin/nest', 'build', '--webpack']

it.each([
  ['left out', false, COMMAND, true],
  ['left out, with what version 1 fills in', 'source-map', COMMAND, true],
  ["the user's", 'hidden-source-map', COMMAND, false],
  ["the user's own false", false, [...COMMAND, '-c', 'own.config.js'], false],
  ["the user's own false, with an equals sign", false, [...COMMAND, '--config=own.config.js'], false],
  ['left out of a config by name', false, [...COMMAND, '-c', 'plain.config.js'], true],
  ['left out of a config by name, with an equals sign', false, [...COMMAND, '--config=plain.config.js'], true],
  ['a flag', false, [...COMMAND, '--devtool', 'false'], false],
  ['a flag that negates', false, [...COMMAND, '--no-devtool'], false],
  ['no config that can be found', false, [...COMMAND, '-c', 'missing.js'], false],
  ["left out of a config for Nest's command", false, [...NEST], true],
  ["left out of a config that Nest's command names", false, [...NEST, '--webpackPath', 'plain.config.js'], true],
  ["the user's own false, in Nest's command", false, [...NEST, '--webpackPath=own.config.js'], false],
  ["somebody's script, not the command", false, ['node', '/app/build.mjs'], false],
])('%s', (_, devtool, argv, filledIn) => {
  expect(isFilledInByCommand(devtool, { argv, cwd })).toBe(filledIn)
})

it.each([
  [{ webpackConfigPath: 'own.config.js' }, false],
  [{ webpackConfigPath: './plain.config.js' }, true],
  [{ builder: { type: 'webpack', options: { configPath: 'own.config.js' } } }, false],
  [{ builder: 'webpack' }, true],
  [{ builder: { type: 'tsc', options: { configPath: 'own.config.js' } } }, true],
])("the config is the one that Nest's own names: %j", (compilerOptions, filledIn) => {
  const own = join(cwd, 'nest-cli.json')
  writeFileSync(own, JSON.stringify({ compilerOptions }))
  expect(isFilledInByCommand(false, { argv: NEST, cwd })).toBe(filledIn)
  writeFileSync(own, '{')
  expect(isFilledInByCommand(false, { argv: NEST, cwd })).toBe(true)
  rmSync(own)
})

it.each([
  [
    'a comment names it',
    false,
    'export default {\n  // devtool: see docs\n  entry /* devtool: false */: "./a.js",\n}',
    true,
  ],
  ['a text names it', false, 'export default { entry: "./devtool: false.js", help: `set devtool` }', true],
  ['nothing in a release', false, "export default { devtool: process.env.DEV ? 'eval' : undefined }", true],
  ['nothing in a release, quoted', false, "export default { 'devtool': (isDev ? 'eval' : void 0) }", true],
  [
    'nothing, in lines',
    false,
    "const c = {\n  devtool:\n    env?.mode === 'dev'\n      ? 'eval'\n      : undefined,\n}",
    true,
  ],
  ['nothing, with a comment', false, 'export default { devtool: undefined /* see docs */ }', true],
  ['read only', false, 'if (config.devtool) warn("devtool")', true],
  ['a variable by name', false, 'export default { devtool: process.env["MAPS"] ?? undefined }', true],
  ['nothing, set', false, 'config.devtool = undefined\nmodule.exports = config', true],
  [
    'what a variable of the environment says, if it says it',
    false,
    'export default { devtool: process.env.MAPS || undefined }',
    true,
  ],
  ['the own false of a release', false, "export default { devtool: isDev ? 'eval' : false }", false],
  ['an own false behind a comment', false, 'export default { /* maps */ devtool: /* no */ false }', false],
  ['an own false, quoted', false, "export default { 'devtool': false }", false],
  ['an own false, set', false, "config['devtool'] = false", false],
  ['an own false of a condition', false, "export default { devtool: isDev && 'eval' }", false],
  ['what nobody can tell', false, 'export default { devtool: mapsOf(mode) }', false],
  ['a variable', false, "const devtool = isDev ? 'eval' : false\nexport default { devtool }", false],
  ["the user's own 'source-map'", 'source-map', "export default { devtool: isDev ? 'eval' : 'source-map' }", false],
  [
    'nothing in a release, with version 1',
    'source-map',
    "export default { devtool: isDev ? 'eval' : undefined }",
    true,
  ],
  ["perhaps the user's own 'source-map'", 'source-map', 'export default { devtool: process.env.MAPS }', false],
])('%s', (_, devtool, text, filledIn) => {
  writeFileSync(join(cwd, 'said.config.js'), text)
  expect(isFilledInByCommand(devtool, { argv: [...COMMAND, '-c', 'said.config.js'], cwd })).toBe(filledIn)
})
