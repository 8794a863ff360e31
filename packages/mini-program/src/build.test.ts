import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { beforeEach, expect, it, vi } from 'vitest'
import { useDirectory } from '../../../test/support/directory.ts'
import { openBuild } from './build.ts'

const MAP = '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA,CAAC"}'

const place = useDirectory('each')
beforeEach(() => {
  writeFileSync(join(place, 'app.json'), '{"pages":["pages/index"]}')
  writeFileSync(join(place, 'app.js'), 'App({})\n')
  writeFileSync(join(place, 'app.js.map'), MAP)
})

/** Finishes the build, which uploads to an intake that refuses the key. @returns what it printed. */
async function finish(): Promise<string> {
  const refusing = createServer((_, response) => response.writeHead(401).end()).listen(0, '127.0.0.1')
  await once(refusing, 'listening')
  const { port } = refusing.address() as AddressInfo
  const shown = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockReturnValue(true))
  const release = { service: 's', version: '1', appid: 'wx1', apiKey: 'unused-key', ignoreConfigFile: true }
  const options = { ...release, endpoint: `http://127.0.0.1:${port}`, onError: 'warn', deleteMaps: true } as const
  await openBuild(options, { framework: 'test', root: place })?.finish(place)
  const printed = shown.flatMap((spy) => spy.mock.calls.map(([text]) => text))
  for (const spy of shown) spy.mockRestore()
  refusing.close()
  return printed.join('')
}

it('deletes packed maps even if the upload fails', async () => {
  await finish()
  expect(existsSync(join(place, 'app.js.map'))).toBe(false)
  expect(existsSync(join(place, 'node_modules/.cache/symup/sourcemap.zip'))).toBe(true)
})

it('keeps maps if no archive could be created', async () => {
  writeFileSync(join(place, 'app.js.map'), '{')
  await finish()
  expect(existsSync(join(place, 'app.js.map'))).toBe(true)
})

it('does not advise building again if a script that was just built does not match its map', async () => {
  const built = (verbs: string[]) => {
    const functions = verbs.map(
      (verb) =>
        `export function ${verb}(cart) {\n  if (cart.${verb}Items(cart.${verb}Total) > 3) throw new Error('${verb}')\n}`,
    )
    return transform(functions.join('\n'), { sourcefile: 'a.js', sourcemap: 'external', minify: true })
  }
  writeFileSync(join(place, 'app.js'), (await built(['remove', 'discount', 'deliver', 'refund'])).code)
  writeFileSync(join(place, 'app.js.map'), (await built(['add', 'pay', 'ship', 'count'])).map)
  const printed = await finish()
  expect(printed).toContain('warning map-stale: app.js')
  expect(printed).toContain('Delete the output directory and build again. If the problem persists, find the plugin')
})
