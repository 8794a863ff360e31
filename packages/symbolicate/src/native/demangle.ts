import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
// @ts-expect-error: it has no types.
import * as bindings from 'gecko-profiler-demangle/index_bg.js'

/** Only what is used: the types of WebAssembly come with the DOM's. */
interface WasmApi {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: { __wbindgen_start(): void } }
}

/**
 * C++ (Itanium) and Rust names as their authors wrote them, by `gecko-profiler-demangle`: the Rust crates `cpp_demangle` and
 * `rustc-demangle` in WebAssembly, kept by the people of the Firefox profiler. Loaded with the first mangled name, in some 10 ms.
 * Its npm entry point imports the WebAssembly file as a module, which Node 20 does not do, so the pieces are put together here.
 */
let demangler: ((name: string) => string) | undefined

/** Longer ones are shown as they are: template names can take exponential room. */
const LONGEST_NAME = 8 * 1024
const LONGEST_RESULT = 32 * 1024

/** @returns the name itself when it is not mangled, or in a way that is not known. */
export function demangle(name: string): string {
  if (!/^_{1,2}Z|^_R/.test(name) || name.length > LONGEST_NAME) return name
  demangler ??= load()
  try {
    const known = demangler(name)
    // What it does not know it gives back, without Mach-O's underscore.
    return name.endsWith(known) ? name : tidy(known).slice(0, LONGEST_RESULT)
  } catch {
    demangler = undefined // A trap leaves WebAssembly's memory in an unknown state.
    return name
  }
}

/** Small differences to what people know from LLVM's tools. */
function tidy(name: string): string {
  return name.replace(/> (?=>)/g, '>').replace(/\{lambda\(([^{}]*)\)#\d+\}/g, "'lambda'($1)")
}

function load(): (name: string) => string {
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: WasmApi }).WebAssembly
  const path = createRequire(import.meta.url).resolve('gecko-profiler-demangle/index_bg.wasm')
  const { exports } = new Instance(new Module(readFileSync(path)), { './index_bg.js': { ...bindings } })
  bindings.__wbg_set_wasm(exports)
  exports.__wbindgen_start()
  return bindings.demangle_any
}
