// Builds an app with or without symup's plugin, and reports the state of the process after the build:
// `build.ts <bundler> <plugin or none> <directory> <report>`.
import fs, { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import type { Configuration } from 'webpack'

const [bundler = '', plugin = '', outDir = '', report = ''] = process.argv.slice(2)
const input = join(import.meta.dirname, '../../../fixtures/web-app/src/main.js')

/** State that other code in the process sees, by the name of the object that has it. */
const WATCHED: Record<string, object> = {
  globalThis,
  fs,
  'fs.promises': fs.promises,
  console,
  Array: Array.prototype,
  Object: Object.prototype,
  Function: Function.prototype,
  String: String.prototype,
  Promise: Promise.prototype,
}

// Node loads some of its globals on first use.
for (const key of Object.getOwnPropertyNames(globalThis)) void (globalThis as Record<string, unknown>)[key]

function descriptorsOf(): Map<string, PropertyDescriptor> {
  const all = Object.entries(WATCHED).flatMap(([name, object]) =>
    Object.entries(Object.getOwnPropertyDescriptors(object)).map(
      ([key, descriptor]) => [`${name}.${key}`, descriptor] as const,
    ),
  )
  return new Map(all)
}

function changesSince(before: Map<string, PropertyDescriptor>): string[] {
  const after = descriptorsOf()
  const isSame = (one: PropertyDescriptor | undefined, other: PropertyDescriptor | undefined) =>
    one !== undefined &&
    other !== undefined &&
    Object.is(one.value, other.value) &&
    one.get === other.get &&
    one.set === other.set
  return [...new Set([...before.keys(), ...after.keys()])].filter((key) => !isSame(before.get(key), after.get(key)))
}

async function buildWithVite(): Promise<void> {
  const { build } = await import('vite')
  const plugins = plugin === 'none' ? [] : [(await import('@symup/unplugin/vite')).default()]
  const rollupOptions = { input }
  await build({ configFile: false, root: outDir, base: '/shop/', build: { outDir, rollupOptions }, plugins })
}

async function buildWithWebpack(): Promise<void> {
  const { default: webpack } = await import('webpack')
  const plugins = plugin === 'none' ? [] : [(await import('@symup/unplugin/webpack')).default()]
  const output = { path: outDir, publicPath: '/shop/' }
  const config: Configuration = { mode: 'production', context: join(input, '..'), entry: input, output, plugins }
  await new Promise<void>((done, fail) => {
    const compiler = webpack(config)
    compiler?.run((error) => compiler.close(() => (error ? fail(error) : done())))
  })
}

const listenersOf = () =>
  Object.fromEntries(process.eventNames().map((name) => [String(name), process.listenerCount(name)]))

const before = descriptorsOf()
const [env, execArgv] = [{ ...process.env }, process.execArgv.join(' ')]
await (bundler === 'vite' ? buildWithVite() : buildWithWebpack())
const left = {
  changed: changesSince(before).sort(),
  globals: Object.keys(globalThis).sort(),
  listeners: listenersOf(),
  heapLimit: getHeapStatistics().heap_size_limit,
  keepsFlags: process.execArgv.join(' ') === execArgv,
  environment: Object.keys({ ...env, ...process.env }).filter((name) => process.env[name] !== env[name]),
  exitCode: process.exitCode ?? 0,
}
writeFileSync(report, JSON.stringify(left))
