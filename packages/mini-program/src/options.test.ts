import { expect, it } from 'vitest'
import { openBuild } from './build.ts'
import type { MiniProgramOptions } from './options.ts'

const complete = { apiKey: 'k', service: 's', version: '1', ignoreConfigFile: true }
const open = (more: object) =>
  openBuild({ ...complete, ...more } as MiniProgramOptions, { framework: 'taro', root: import.meta.dirname })

it.each([
  [{ deletMaps: true }, 'The option "deletMaps" does not exist. Did you mean "deleteMaps"?'],
  [{ onError: 'warning' }, 'must be one of fail, warn, but is "warning". Did you mean "warn"?'],
  [{ deleteMaps: 'yes' }, 'must be true or false, but is "yes".'],
])('refuses %j before the build', (options, message) => {
  expect(() => open(options)).toThrow(message)
})

it('accepts every option that the type declares', () => {
  const options: MiniProgramOptions = {
    appid: 'auto',
    output: 'a.zip',
    dryRun: true,
    deleteMaps: true,
    onError: 'warn',
    proxy: '',
  }
  expect(open(options)).toBeDefined()
})
