import { createRequire } from 'node:module'
import { expect, it } from 'vitest'

const require = createRequire(import.meta.url)
const { default: ngAdd } = require('../../packages/angular/ng-add.js')

/** The part of a workspace's tree that the schematic uses. @returns its angular.json afterwards, and the log. */
function added(text: string | undefined): { text: string | undefined; output: string[] } {
  const output: string[] = []
  const log = (line: string) => void output.push(line)
  const tree = {
    exists: (path: string) => path === 'angular.json' && text !== undefined,
    readText: () => text,
    overwrite: (_: string, changed: string) => {
      text = changed
    },
  }
  ngAdd()(tree, { logger: { info: log, warn: log } })
  return { text, output }
}

const workspace = (builder: string) =>
  JSON.stringify(
    { version: 1, projects: { shop: { architect: { build: { builder, options: { ssr: true } } } } } },
    null,
    4,
  )

it('sets the symup builder for each application, and changes nothing on a second run', () => {
  const once = added(workspace('@angular/build:application'))
  const { build } = JSON.parse(once.text ?? '').projects.shop.architect
  expect(build).toEqual({
    builder: '@symup/angular:application',
    options: { ssr: true, symup: { service: 'shop', version: 'auto' } },
  })
  expect(once.text).toContain('\n    "projects"')
  expect(once.output.join('\n')).toContain('shop: ng build uploads its source maps.')
  expect(added(once.text).text).toBe(once.text)
})

it('does not change older builders, and explains what to do', () => {
  const given = workspace('@angular-devkit/build-angular:browser')
  const { text, output } = added(given)
  expect(text).toBe(given)
  expect(output.join('\n')).toContain('ng update @angular/cli --name use-application-builder')
  expect(output.join('\n')).toContain('nothing was changed')
})

it('explains where the command must run', () => {
  expect(() => added(undefined)).toThrow('in the directory of the workspace')
})
