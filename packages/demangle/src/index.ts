import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
// @ts-expect-error: the module has no types.
import * as bindings from 'gecko-profiler-demangle/index_bg.js'
import { demangleItanium } from './itanium/demangle-itanium.ts'
import { DemangleError } from './itanium/output.ts'
import { demangleKotlin } from './kotlin.ts'
import { demangleSwift } from './swift/index.ts'

/**
 * TypeScript declares the WebAssembly API only in its DOM library, which this package does not use. This interface declares the parts that
 * are needed.
 */
interface WasmApi {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: { __wbindgen_start(): void } }
}

/** Longer names are not demangled, because C++ template names can expand exponentially. */
const MAX_NAME = 8 * 1024
const MAX_RESULT = 32 * 1024

/**
 * Demangles C++, Rust, Swift and Kotlin/Native names.
 * @returns the demangled name. Names that are not mangled or have an unknown form are returned unchanged.
 */
export function demangle(name: string): string {
  if (name.length > MAX_NAME) return name
  // Rust names have an uppercase letter after the prefix, unlike C++ names such as `_Rb_tree`.
  if (/^_R[A-Z]|^_{1,2}ZN.*17h[0-9a-f]{16}E/.test(name)) return demangleRust(name)
  if (/^_?\$[sSe]/.test(name)) return demangleSwift(name) ?? name
  if (!/^_{1,4}Z/.test(name)) return demangleKotlin(name) ?? name
  // The version after `@` is not part of the symbol's name.
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
 * Demangles Rust names with the `rustc-demangle` crate, which the Firefox profiler's `gecko-profiler-demangle` package contains as
 * WebAssembly. The crate is loaded on first use, which takes about 10 ms. The package's entry point imports the WebAssembly file as a
 * module. Node 20 does not support such imports, so the file is instantiated here. The package's C++ demangler is not used, because it
 * fails on ABI tags, empty packs and thunks.
 */
let rust: ((name: string) => string) | undefined

function demangleRust(name: string): string {
  rust ??= load()
  try {
    const known = rust(name)
    // The crate returns unknown names unchanged, except that it removes the underscore that Mach-O adds.
    return name.endsWith(known) ? name : known.replace(/\.llvm\.[0-9A-F]+(?=\.|$)/, '').slice(0, MAX_RESULT)
  } catch {
    rust = undefined // After a trap, the WebAssembly memory is in an unknown state.
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
