/** The files of undici 6 that we load one by one, which have no types of their own. */
declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici'
}
declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici'
}
declare module 'undici/lib/llhttp/llhttp_simd-wasm.js' {
  const bytes: Uint8Array
  export default bytes
}
