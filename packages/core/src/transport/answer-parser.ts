/// <reference path="./undici-files.d.ts" />
import { setFlagsFromString } from 'node:v8'
import { isMainThread } from 'node:worker_threads'
import { type CompiledModule, compileModule } from '../formats/web-assembly.ts'

/** What V8 does not do while it compiles the parser: optimize it, then or later, or leave functions for their first call (Node 18 never does). */
const FLAGS = [
  'wasm-tier-up',
  'wasm-dynamic-tiering',
  ...(Number.parseInt(process.versions.node, 10) >= 20 ? ['wasm-lazy-compilation'] : []),
]

let made: Promise<CompiledModule | undefined> | undefined

/**
 * Has undici's parser of answers, which is WebAssembly, compiled once and for good. V8 would optimize it after some twenty answers, for 24 MB and
 * 0.08 s of CPU that no upload is long enough to win back: docs/decisions/001-transport.md. V8 compiles equal bytes only once while the first
 * module lives, so undici gets this one. Up to Node 23 the bytes of Node's own `fetch` are the same: of a process that has fetched before, undici
 * gets its parser, which is optimized; and if the process fetches afterwards, it has ours.
 *
 * V8's flags are those of the whole process, which may be a bundler's. They are other ones for 5 ms in which no other JavaScript of this thread
 * runs: only WebAssembly that a worker compiles just then stays unoptimized, too. They stay as they are where the process was started with any of
 * them, which a worker cannot know: its arguments are its own.
 */
export function compileAnswerParser(): Promise<CompiledModule | undefined> {
  made ??= compile()
  return made
}

/** @returns undefined where it is left to undici. */
async function compile(): Promise<CompiledModule | undefined> {
  const given = `${process.execArgv.join(' ')} ${process.env.NODE_OPTIONS ?? ''}`
  if (!isMainThread || process.versions.bun !== undefined || /wasm[-_](tier|dynamic|lazy)|liftoff|jitless/.test(given))
    return undefined
  const { default: bytes } = await import('undici/lib/llhttp/llhttp_simd-wasm.js')
  for (const flag of FLAGS) setFlagsFromString(`--no-${flag}`)
  try {
    return compileModule(bytes)
  } catch {
    // A processor without SIMD: undici has another one for it.
    return undefined
  } finally {
    for (const flag of FLAGS) setFlagsFromString(`--${flag}`)
  }
}
