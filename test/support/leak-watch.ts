import childProcess from 'node:child_process'
import fs from 'node:fs'
import fsPromises from 'node:fs/promises'
import http from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
import { afterAll, expect } from 'vitest'
import { keysOf, leakOf } from './keys.ts'

/**
 * Runs in every test file in CI and looks for the keys that the file uses: in everything that its processes print, in
 * everything that its servers answer, and in all files and directories before they are removed, each file once. Keys
 * are those that requests and processes were given. A key that is found fails the file.
 */

/** Files in which a test passes a key on purpose, or plants one. */
const GIVEN = /^(?:symup\.json|flashcat-ci\.json|.*seed.*\.(?:ya?ml|json)|\.env.*|.*\.config\.[cm]?[jt]s|planted.*)$/
/** `symup intake` prints its default keys, unless it was given others. */
const DEFAULT_KEYS =
  /upload key: dev-api-key {3}app key: dev-app-key\n| {2}export SYMUP_A(?:PI|PP)_KEY=dev-a(?:pi|pp)-key\n/g
/** Our packages as installed or copied (`copyWorkspace`). They contain the default accounts. */
const INSTALLED =
  /[\\/]node_modules[\\/](?:@symup[\\/][\w-]+|symup)[\\/](?:src|dist|zh|README\.md)|[\\/]symup-test-\w+[\\/]zh[\\/]|[\\/]symup-workspace-\w+[\\/](?:packages|scripts|docs|test)[\\/]/
/** Uploads in transit and in storage. A test that plants a key in an upload sets `plantsKeys` on the global object. */
const INCOMING = /[\\/]symup-intake-\w+[\\/](?:(?:incoming|blobs)[\\/]|intake\.db)/
/** Set by test servers that echo everything they receive. */
const ECHO = 'X-Echo'
/** Returns the keys of the default accounts to the intake's page, and no others. */
const PUBLIC_KEYS = '/inspector/api/keys'

/** What the current test file has used, printed and leaked. */
interface Watched {
  keys: Set<string>
  printed: Map<object, Buffer[]>
  leaks: Set<string>
  /** Files that were read. A file that has not changed since then, such as a hard link, is not read again. */
  read: Set<string>
}

/** Vitest runs this module before every test file, in one process for many of them. Node's functions are replaced only the first time. */
const shared = globalThis as { symupWatched?: Watched }
const isFirst = shared.symupWatched === undefined
shared.symupWatched = { keys: new Set(), printed: new Map(), leaks: new Set(), read: new Set() }
const watched = () => shared.symupWatched as Watched

if (isFirst) {
  watchProcesses()
  watchProcessesWaitedFor()
  watchAnswers()
  watchRemovals()
  syncBuiltinESMExports()
}

afterAll(() => {
  const { keys, printed, leaks } = watched()
  for (const chunks of printed.values()) {
    const text = Buffer.concat(chunks).toString('latin1').replace(DEFAULT_KEYS, '')
    if (leakOf([...keys], text, [])) leaks.add(`printed: ${text.slice(0, 500)}`)
  }
  expect([...leaks], 'places where a key turned up').toEqual([])
})

/** The common base of `spawn` and `execFile`; `@types/node` omits it. */
interface Spawning extends childProcess.ChildProcess {
  spawn(options: { args?: string[]; envPairs?: string[] }): unknown
}

function watchProcesses(): void {
  const spawning = childProcess.ChildProcess.prototype as Spawning
  const { spawn } = spawning
  spawning.spawn = function (this: Spawning, options) {
    addKeys(options.args ?? [], Object.fromEntries((options.envPairs ?? []).map((pair) => pair.split(/=(.*)/s, 2))))
    const result = spawn.call(this, options)
    for (const stream of [this.stdout, this.stderr]) {
      if (!stream) continue
      const chunks: Buffer[] = []
      watched().printed.set(stream, chunks)
      const push = stream.push.bind(stream)
      stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
        if (chunk) chunks.push(Buffer.from(chunk as Buffer))
        return push(chunk, encoding)
      }
    }
    return result
  }
}

function watchProcessesWaitedFor(): void {
  for (const name of ['execFileSync', 'execSync', 'spawnSync'] as const) {
    const original = childProcess[name] as (...given: unknown[]) => unknown
    childProcess[name] = ((...given: unknown[]) => {
      const options = given.findLast((it): it is { env?: NodeJS.ProcessEnv } => isRecord(it))
      addKeys(given.find(Array.isArray) ?? [], options?.env ?? {})
      let outcome: unknown
      try {
        outcome = original(...given)
        return outcome
      } catch (error) {
        outcome = error
        throw error
      } finally {
        const outputs = isRecord(outcome) ? [outcome.stdout, outcome.stderr] : [outcome]
        const texts = outputs.filter((it) => typeof it === 'string' || Buffer.isBuffer(it))
        watched().printed.set(given, [Buffer.concat(texts.map((it) => Buffer.from(it)))])
      }
    }) as never
  }
}

function addKeys(args: readonly string[], env: NodeJS.ProcessEnv): void {
  for (const key of keysOf(args, env)) watched().keys.add(key)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value)
}

function watchAnswers(): void {
  const response = http.ServerResponse.prototype
  for (const name of ['write', 'end'] as const) {
    const original = response[name] as (...given: unknown[]) => unknown
    response[name] = function (this: http.ServerResponse, ...given: unknown[]) {
      const { keys, leaks } = watched()
      const { headers, url } = this.req
      for (const header of ['dd-api-key', 'x-app-key']) {
        const key = headers[header]
        if (typeof key === 'string' && key.length > 5) keys.add(key)
      }
      const [chunk] = given
      if ((typeof chunk === 'string' || Buffer.isBuffer(chunk)) && !this.hasHeader(ECHO)) {
        const isPublic = (key: string) => url?.startsWith(PUBLIC_KEYS) && /^dev-(?:api|app)-key$/.test(key)
        if ([...keys].some((key) => chunk.includes(key) && !isPublic(key))) leaks.add(`answered to ${url}`)
      }
      return original.apply(this, given)
    } as never
  }
}

function watchRemovals(): void {
  const { rmSync, unlinkSync } = fs
  fs.rmSync = (path, options) => {
    search(path)
    rmSync(path, options)
  }
  fs.unlinkSync = (path) => {
    search(path)
    unlinkSync(path)
  }
  const { rm, unlink } = fsPromises
  fsPromises.rm = (path, options) => {
    search(path)
    return rm(path, options)
  }
  fsPromises.unlink = (path) => {
    search(path)
    return unlink(path)
  }
}

function search(path: fs.PathLike): void {
  const { keys, leaks } = watched()
  try {
    const leak = leakOf([...keys], '', [String(path)], isSearched)
    if (leak) leaks.add(leak)
  } catch {
    // The file was removed or cannot be read. Its removal reports that.
  }
}

function isSearched(file: string): boolean {
  if (GIVEN.test(basename(file)) || INSTALLED.test(file)) return false
  if ('plantsKeys' in globalThis && INCOMING.test(file)) return false
  const { dev, ino, size, mtimeMs } = fs.statSync(file)
  const id = `${dev}:${ino}:${size}:${mtimeMs}`
  const isNew = !watched().read.has(id)
  watched().read.add(id)
  return isNew
}
