import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  inheritorOf,
  isForge,
  isMiniProgram,
  isNuxt,
  LeftAlone,
  projectOf,
  requireVite5,
  runsOnServer,
  writesWorkers,
} from './vite-builds.ts'
import { emptyOutput } from './written.ts'

describe('a tool that builds with the config of the app', () => {
  it.each([
    ['storybook:code-generator-plugin', 'Storybook'],
    ['vitest', 'Vitest'],
    ['playwright:component-index', 'Playwright'],
    ['ladle:core', 'Ladle'],
    ['histoire-vite-plugin', 'Histoire'],
  ])('%s is of %s', (name, tool) => {
    expect(
      inheritorOf([false, undefined, Promise.resolve({ name: 'later' }), [{ name: 'vite:vue' }, [{ name }]]]),
    ).toBe(tool)
  })

  it.each(['vite:react', 'vite:dts', 'storybook-like', 'my-vitest-helper'])('%s is of none', (name) => {
    expect(inheritorOf([{ name }])).toBeUndefined()
  })
})

it.each<[NodeJS.ProcessEnv, boolean]>([
  [{ UNI_PLATFORM: 'mp-weixin' }, true],
  [{ UNI_PLATFORM: 'h5' }, false],
  [{}, false],
])('uni-app that has set %j makes a mini program: %s', (environment, expected) => {
  expect(isMiniProgram(environment)).toBe(expected)
})

it.each([
  ['3.29.5', true],
  ['4.68.7', false],
  // As Rolldown has it.
  ['4.23.0', false],
])('Rollup %s is refused: %s', (rollupVersion, isRefused) => {
  const call = () => requireVite5({ rollupVersion })
  if (isRefused)
    expect(call).toThrow(expect.objectContaining({ problems: [expect.objectContaining({ code: 'bundler-too-old' })] }))
  else expect(call).not.toThrow()
})

it.each([
  [{ environment: { name: 'ssr', config: { consumer: 'server' } } }, { ssr: false }, true],
  // With one instance for all environments the config may be that of another one.
  [{ environment: { name: 'client', config: { consumer: 'client' } } }, { ssr: true }, false],
  [{}, { ssr: true }, true],
  [{}, { ssr: 'src/server.js' }, true],
  [{}, { ssr: false }, false],
] as const)('%j with build %j runs on a server: %s', (context, build, isServer) => {
  expect(runsOnServer(context, { build, plugins: [] } as unknown as Parameters<typeof runsOnServer>[1])).toBe(isServer)
})

it('what electron-vite builds for Node ships with the app', () => {
  const plugins = [{ name: 'vite:electron-main-config-preset' }]
  const config = { build: { ssr: true }, plugins } as unknown as Parameters<typeof runsOnServer>[1]
  expect(runsOnServer({}, config)).toBe(false)
})

it.each([
  ['.vite/build', true],
  ['.vite/renderer/main_window', true],
  ['.vite/renderer/', true],
  ['dist', false],
  ['.vite/deps', false],
])('Electron Forge builds into %s: %s', (outDir, expected) => {
  expect(isForge({ build: { outDir } })).toBe(expected)
})

it('tells of what was left alone once, and not of what became the pages that ship', () => {
  const told: string[] = []
  const log = ({ text }: { text: string }) => void told.push(text)
  const leftAlone = new LeftAlone()
  leftAlone.add('/app/dist/server', '/app')
  leftAlone.add('/app/static', '/app')
  leftAlone.tell(log, [emptyOutput('/app/static')])
  leftAlone.add('/app/dist/server', '/app')
  leftAlone.tell(log)
  expect(told).toEqual(['dist/server runs on a server and is left alone (server: true uploads it too).'])
})

it('takes the directory of package.json for the project in Nuxt, which builds in a directory below it', () => {
  const directory = mkdtempSync(join(tmpdir(), 'symup-nuxt-'))
  try {
    const root = join(directory, 'app')
    mkdirSync(root)
    writeFileSync(join(directory, 'package.json'), '{}')
    const nuxt = [{ name: 'nuxt:environments' }] as Parameters<typeof projectOf>[0]['plugins']
    expect(isNuxt([[undefined, nuxt]])).toBe(true)
    expect(projectOf({ root, plugins: nuxt })).toBe(directory)
    expect(projectOf({ root, plugins: [] })).toBe(root)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})

it.each([
  ['vite-plugin-pwa', true],
  ['vite-plugin-compression', false],
])('%s writes service workers after the bundle: %s', (name, expected) => {
  expect(writesWorkers([[undefined, { name }]])).toBe(expected)
})
