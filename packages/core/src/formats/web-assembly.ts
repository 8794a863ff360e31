/** A compiled module; may be sent to other threads. */
export type CompiledModule = object

/** What we use of it. Its types belong to browsers' libraries, which nothing else here needs. */
const { Module, Instance } = (globalThis as unknown as { WebAssembly: Engine }).WebAssembly
interface Engine {
  Module: new (bytes: Uint8Array) => CompiledModule
  Instance: new (module: CompiledModule, imports?: Imports) => { exports: unknown }
}

/** @param code its bytes, or these in base64 as `npm run docs` writes them from the sources in `assembly/`. */
export function compileModule(code: string | Uint8Array): CompiledModule {
  return new Module(typeof code === 'string' ? Buffer.from(code, 'base64') : code)
}

/** Functions that a module calls, by module and name. */
export type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** @returns what the module exports, in memory of its own. */
export function instantiate<Exports>(module: CompiledModule, imports: Imports = {}): Exports {
  return new Instance(module, imports).exports as Exports
}
