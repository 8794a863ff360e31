import { deflateModule } from './deflate/deflate.ts'
import { javaScriptKernel } from './javascript/kernel.ts'
import { kernel } from './source-map/kernel.ts'

/** Compiles our WebAssembly now: before flags of V8 change how that is done. Takes a few milliseconds. */
export function compileAhead(): void {
  deflateModule()
  kernel()
  javaScriptKernel()
}
