import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestIntake } from '@symup/intake/testing'
import type { SymupOptions } from '@symup/unplugin/vite'
import { expect } from 'vitest'
import { filesBelow } from '../../support/files-below.ts'
import { logged } from '../../support/printed.ts'
import { BASE, isScript, optionsFor, source, temporaryOutput, type Uploaded, uploadedOf, WEB_APP } from '../bundle.ts'
import type { BuildRequest, Bundler } from '../bundlers.ts'

export interface Built {
  /** Path below the output directory → text. */
  files: Record<string, string>
  uploaded: Uploaded[]
  output: string
  /** The error of a failed build. */
  failure: Error | undefined
}

let services = 0
export const newService = (name: string) => `${name}-${++services}`

export const isMap = (file: string) => file.endsWith('.map')
export const mapsOf = ({ files }: Built) => Object.keys(files).filter(isMap)
export const mapsIn = (directory: string) => filesBelow(directory).filter(isMap)
export const namesOf = (uploaded: readonly Uploaded[]) => uploaded.map(({ url }) => url)
export const urlsOf = async (intake: TestIntake, service: string) => namesOf(await uploadedOf(intake, service))

export const WARNED = /warning [a-z-]+:|error [a-z-]+:/

export async function expectUploadedOnce(intake: TestIntake, service: string, urls: string[]): Promise<void> {
  const uploaded = await uploadedOf(intake, service)
  expect(uploaded.map(({ url, once }) => ({ url, once }))).toEqual(urls.map((url) => ({ url, once: true })))
}

/** Entries that load chunks and a worker. */
export const splitEntries = ({ lacks }: Bundler) => ({
  main: source('main.js'),
  ...(lacks.worker !== undefined && { worker: source('worker.js') }),
})

/** Builds once with the plugin, in its own directory. */
export async function build(
  bundler: Bundler,
  intake: TestIntake,
  request: Partial<BuildRequest> = {},
  more: SymupOptions = {},
): Promise<Built> {
  using directory = temporaryOutput()
  const outDir = directory.path
  const service = newService(bundler.name)
  const prefix = bundler.lacks.inferredPrefix === undefined ? {} : { minifiedPathPrefix: BASE }
  const plugin = bundler.plugin(optionsFor(intake, service, { ...prefix, ...more }))
  const whole = { root: WEB_APP, outDir, base: BASE, entries: { single: source('single.js') }, ...request }
  let failure: Error | undefined
  const listeners = process.listenerCount('SIGTERM')
  const output = await logged(() => bundler.build(whole, plugin).catch((error) => (failure = error as Error)))
  // However the build ends, nothing waits for the end of the process any more.
  expect(process.listenerCount('SIGTERM')).toBe(listeners)
  const files = Object.fromEntries(filesBelow(outDir).map((file) => [file, readFileSync(join(outDir, file), 'utf8')]))
  return { files, output, failure, uploaded: await uploadedOf(intake, service) }
}

/** Every script of the output was sent once, with the deployed bytes and its own map, and nothing else was sent. */
export function expectAllScripts({ files, uploaded, output, failure }: Built): void {
  expect(failure).toBeUndefined()
  const scripts = Object.entries(files).filter(([file]) => isScript(file))
  const deployed = Object.fromEntries(scripts.map(([file, text]) => [`${BASE}${file}`, text]))
  expect(Object.fromEntries(uploaded.map(({ url, script }) => [url, script]))).toEqual(deployed)
  for (const { event, map, parts, once } of uploaded) {
    expect(event).toMatchObject({ type: 'js_sourcemap', version: '1.2.3', project_path: '' })
    expect(parts).toEqual(['minified_file', 'source_map'])
    expect(map.mappings).toBeTypeOf('string')
    expect(once).toBe(true)
  }
  const count = uploaded.length
  expect(output.match(/Uploaded \d+ artifacts?/g)).toEqual([`Uploaded ${count} artifact${count === 1 ? '' : 's'}`])
}

/** The intake resolves a position in a deployed file to its source line. */
export async function expectToResolve(
  intake: TestIntake,
  { uploaded }: Built,
  text: string,
  file: string,
): Promise<void> {
  const holder = uploaded.find(({ script }) => script.includes(text))
  const before = holder?.script.slice(0, holder.script.indexOf(text)).split('\n') ?? []
  const column = (before.at(-1)?.length ?? 0) + 1
  const stack = `Error: x\n    at f (https://shop.example.com${holder?.url}:${before.length}:${column})`
  const { frames } = await intake.resolve(stack, { service: String(holder?.event.service), version: '1.2.3' })
  const original = readFileSync(source(file), 'utf8')
  const line = original.slice(0, original.indexOf(text)).split('\n').length
  expect(frames[0]?.resolved).toMatchObject({ file: expect.stringMatching(new RegExp(`src/${file}$`)), line })
}
