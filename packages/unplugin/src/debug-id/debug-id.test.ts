import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { debugIdOf, mapWithDebugId, withDebugId } from '@symup/core'
import type { BuildOptions, OnEndResult, PluginBuild } from 'esbuild'
import type { Plugin } from 'vite'
import { describe, expect, it } from 'vitest'
import type { Compiler } from 'webpack'
import { useDirectory } from '../../../../test/support/directory.ts'
import { compilerWith, RawSource } from '../webpack-compiler.fixture.ts'
import { esbuildDebugIds } from './esbuild.ts'
import { viteDebugIds } from './rollup.ts'
import { injectDebugIds } from './webpack.ts'

// Tests single hooks of each bundler plugin. The tests in test/debug-id run real builds.

const directory = useDirectory()

const PLACEHOLDER = '00000000-0000-0000-0000-000000000000'
const FOOTER = `//# debugId=${PLACEHOLDER}`
const OWN = '11111111-2222-5333-8444-555555555555'
const MAP = '{"version":3,"mappings":""}'

describe('debug ids in esbuild', () => {
  function built(initialOptions: BuildOptions) {
    let onEnd: (result: object) => Promise<OnEndResult | undefined> = async () => undefined
    esbuildDebugIds({ initialOptions, onEnd: (given: typeof onEnd) => (onEnd = given) } as unknown as PluginBuild)
    return { initialOptions, end: (result: object) => onEnd(result) }
  }

  it("writes a placeholder for the debug id into the footer, after the user's footer", () => {
    expect(built({}).initialOptions).toEqual({ footer: { js: FOOTER }, metafile: true })
    expect(built({ footer: { js: '/* ours */', css: '/* c */' } }).initialOptions.footer).toEqual({
      js: `/* ours */\n${FOOTER}`,
      css: '/* c */',
    })
  })

  it('replaces the placeholder in every file once files are written', async () => {
    const names = Array.from({ length: 20 }, (_, nth) => `out/${nth}.js`)
    mkdirSync(join(directory, 'out'))
    const code = (name: string) => `say("${name}")\n${FOOTER}\n//# sourceMappingURL=x.map\n`
    for (const name of names) {
      writeFileSync(join(directory, name), code(name))
      writeFileSync(join(directory, `${name}.map`), MAP)
    }
    writeFileSync(join(directory, 'out/a.mjs'), code('a'))
    writeFileSync(join(directory, 'out/plain.cjs'), 'plain()\n')
    writeFileSync(join(directory, 'out/plain.cjs.map'), MAP)
    writeFileSync(join(directory, 'out/c.css'), FOOTER)
    const others = ['out/a.mjs', 'out/plain.cjs', 'out/plain.cjs.map', 'out/c.css']
    const outputs = Object.fromEntries([...names.flatMap((it) => [it, `${it}.map`]), ...others].map((it) => [it, {}]))
    await built({ absWorkingDir: directory }).end({ metafile: { outputs } })
    const read = (name: string) => readFileSync(join(directory, name), 'utf8')
    for (const name of names) {
      const id = debugIdOf(code(name))
      expect(read(name)).toBe(code(name).replace(PLACEHOLDER, id))
      expect(read(`${name}.map`)).toBe(mapWithDebugId(MAP, id))
    }
    expect(read('out/a.mjs')).toBe(code('a').replace(PLACEHOLDER, debugIdOf(code('a'))))
    expect([read('out/plain.cjs'), read('out/plain.cjs.map'), read('out/c.css')]).toEqual(['plain()\n', MAP, FOOTER])
  })

  it('writes the debug id to output that is kept in memory', async () => {
    const file = (path: string, text: string) => ({ path, text, contents: Buffer.from(text) })
    const code = `a()\n${FOOTER}\n`
    const outputFiles = [file('/a.js', code), file('/a.js.map', MAP), file('/b.css', FOOTER), file('/c.js', code)]
    await built({}).end({ outputFiles })
    const id = debugIdOf(code)
    expect(outputFiles.map(({ contents }) => String(contents))).toEqual([
      code.replace(PLACEHOLDER, id),
      mapWithDebugId(MAP, id),
      FOOTER,
      code.replace(PLACEHOLDER, id),
    ])
    await built({}).end({})
  })
})

describe('debug ids in webpack and Rspack', () => {
  it('adds a debug id to each script with its own map, and to the map', () => {
    const assets = new Map<string, { name: string; source: { source(): string | Buffer }; info: object }>()
    const add = (name: string, text: string | Buffer, sourceMap?: unknown) =>
      assets.set(name, { name, source: { source: () => text }, info: sourceMap ? { related: { sourceMap } } : {} })
    add('a.js', Buffer.from('a()\n'), 'a.js.map')
    add('a.js.map', MAP)
    add('b.mjs?v=1', 'b()\n', ['b.map', 'other.map'])
    add('b.map', Buffer.from(MAP))
    add('own.cjs', withDebugId('c()\n', OWN), 'own.map')
    add('own.map', MAP)
    add('gone.js', 'd()\n', 'gone.js.map')
    add('style.css', 'e{}\n', 'style.css.map')
    add('style.css.map', MAP)
    add('bare.js', 'f()\n')
    const hashed: string[] = []
    const chunkHash = {
      tap: (_: string, handler: (chunk: unknown, hash: { update(text: string): unknown }) => void) =>
        handler({}, { update: (text) => hashed.push(text) }),
    }
    const { tapped, compiler } = compilerWith(
      {
        sources: { RawSource },
        Compilation: { PROCESS_ASSETS_STAGE_DEV_TOOLING: 500 },
        javascript: { JavascriptModulesPlugin: { getCompilationHooks: () => ({ chunkHash }) } },
      },
      {
        getAssets: () => [...assets.values()],
        getAsset: (name: string) => assets.get(name),
        updateAsset: (name: string, source: RawSource) =>
          assets.set(name, { name, source, info: assets.get(name)?.info ?? {} }),
      },
    )
    injectDebugIds(compiler as Compiler)
    expect([hashed, tapped]).toEqual([['symup debug id 1'], [{ name: 'symup debug id', stage: 501 }]])
    const [a, b] = [debugIdOf('a()\n'), debugIdOf('b()\n')]
    expect([...assets].map(([name, { source }]) => [name, String(source.source())])).toEqual([
      ['a.js', withDebugId('a()\n', a)],
      ['a.js.map', mapWithDebugId(MAP, a)],
      ['b.mjs?v=1', withDebugId('b()\n', b)],
      ['b.map', mapWithDebugId(MAP, b)],
      ['own.cjs', withDebugId('c()\n', OWN)],
      ['own.map', mapWithDebugId(MAP, OWN)],
      ['gone.js', 'd()\n'],
      ['style.css', 'e{}\n'],
      ['style.css.map', MAP],
      ['bare.js', 'f()\n'],
    ])
  })
})

it('runs the Rollup hooks last in Vite, only in builds and worker builds, each with a name', () => {
  const [workers, ...own] = viteDebugIds() as [Partial<Plugin>, ...Partial<Plugin>[]]
  const config = (workers.config as () => { worker: { plugins: () => { name: string }[] } })()
  expect(workers.apply).toBe('build')
  expect(config.worker.plugins().map((plugin) => [plugin.name, 'generateBundle' in plugin])).toEqual([
    ['symup:debug-id', true],
    ['symup:debug-id', true],
  ])
  expect(own.map(({ apply, enforce, generateBundle }) => [apply, enforce, typeof generateBundle])).toEqual([
    ['build', 'post', 'object'],
    ['build', 'post', 'object'],
  ])
})
