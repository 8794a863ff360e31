import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
// @ts-expect-error: it has no types.
import * as bindings from 'gecko-profiler-demangle/index_bg.js'
import { demangleItanium } from './itanium/demangle-itanium.ts'
import { DemangleError } from './itanium/output.ts'
import { demangleKotlin } from './kotlin.ts'
import { demangleSwift } from './swift/index.ts'

/** Only what is used: the types of WebAssembly come with the DOM's. */
interface WasmApi {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: { __wbindgen_start(): void } }
}

/** Longer ones are shown as they are: template names can take exponential room. */
const MAX_NAME = 8 * 1024
const MAX_RESULT = 32 * 1024

/** Frames of a stack are of the same functions again and again: the debug information and the symbol table name each. */
const MAX_KNOWN = 1000
/** Of a name and what it stands for, together. */
const MAX_KNOWN_LENGTH = 4 * 1024
const known = new Map<string, string>()

/**
 * C++, Rust, Swift and Kotlin/Native names as their authors wrote them.
 * @returns the name itself when it is not mangled, or in a way that is not known.
 */
export function demangle(name: string): string {
  let demangled = known.get(name)
  if (demangled !== undefined) return demangled
  demangled = read(name)
  if (known.size >= MAX_KNOWN) known.clear()
  if (name.length + demangled.length <= MAX_KNOWN_LENGTH) known.set(name, demangled)
  return demangled
}

function read(name: string): string {
  if (name.length > MAX_NAME) return name
  // Not C++'s `_Rb_tree`: after the prefix Rust has a capital.
  if (/^_R[A-Z]|^_{1,2}ZN.*17h[0-9a-f]{16}E/.test(name)) return demangleRust(name)
  if (/^_?\$[sSe]/.test(name)) return demangleSwift(name) ?? name
  if (!/^_{1,4}Z/.test(name)) return demangleKotlin(name) ?? name
  // The version of a symbol is not part of its name.
  const version = name.indexOf('@')
  const end = version === -1 ? name.length : version
  try {
    return demangleItanium(name.slice(0, end)) + name.slice(end)
  } catch (error) {
    if (!(error instanceof DemangleError || error instanceof RangeError)) throw error
    return name
  }
}

/**
 * Rust's names, by the crate `rustc-demangle` in WebAssembly, which `gecko-profiler-demangle` has; kept by the people of the Firefox profiler.
 * Loaded with the first such name, in some 10 ms. Its npm entry point imports the WebAssembly file as a module, which Node 20 does not do, so the
 * pieces are put together here. Its C++ side is not used: it is wrong where a name has ABI tags, empty packs or thunks.
 */
let rust: ((name: string) => string) | undefined

function demangleRust(name: string): string {
  rust ??= load()
  try {
    const known = rust(name)
    // What it does not know it gives back, without Mach-O's underscore.
    return name.endsWith(known) ? name : known.replace(/\.llvm\.[0-9A-F]+(?=\.|$)/, '').slice(0, MAX_RESULT)
  } catch {
    rust = undefined // A trap leaves WebAssembly's memory in an unknown state.
    return name
  }
}

function load(): (name: string) => string {
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: WasmApi }).WebAssembly
  const path = createRequire(import.meta.url).resolve('gecko-profiler-demangle/index_bg.wasm')
  const { exports } = new Instance(new Module(readFileSync(path)), { './index_bg.js': { ...bindings } })
  bindings.__wbg_set_wasm(exports)
  exports.__wbindgen_start()
  return bindings.demangle_any
}
