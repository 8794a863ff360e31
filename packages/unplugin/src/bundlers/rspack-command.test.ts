import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isFilledInByCommand } from './rspack-command.ts'

let cwd: string
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'symup-rspack-config-'))
  writeFileSync(join(cwd, 'rspack.config.mjs'), "export default { entry: './main.js' }\n")
  writeFileSync(join(cwd, 'plain.config.js'), "module.exports = { entry: './main.js' }\n")
  writeFileSync(join(cwd, 'own.config.js'), 'module.exports = { devtool: false }\n')
})
afterAll(() => rmSync(cwd, { recursive: true }))

const COMMAND = ['node', '/app/node_modules/.bin/rspack', 'build']

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
  ["somebody's script, not the command", false, ['node', '/app/build.mjs'], false],
])('%s', (_, devtool, argv, filledIn) => {
  expect(isFilledInByCommand(devtool, { argv, cwd })).toBe(filledIn)
})
