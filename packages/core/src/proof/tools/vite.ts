import type { Tool } from './tool.ts'

/**
 * Matches Vite's loader for chunks and their styles, and the polyfills from @vitejs/plugin-legacy, whose source names do not contain
 * `node_modules`.
 */
export const vite: Tool = {
  name: 'Vite',
  marks: /modulepreload|preloadError|__vite/,
  // The first pattern matches code that detects style sheets. The second pattern matches code that removes failed loads from the cache.
  pieces: [
    /\.pathname\.endsWith\(["'`]\.css["'`]\)/g,
    /throw ([\w$]+)\[([\w$]+)\]\s*=\s*void 0,\s*[\w$]+(?=\}\);return \1\[\2\]\s*=)/g,
  ],
  texts: /Unable to preload/,
  virtual: /(?:^|\/)virtual:|vite\/(?:preload-helper|modulepreload|legacy)/,
  own: [{ names: /^(?:\.\.\/)+(?:core-js\/(?:internals|modules)|regenerator-runtime|systemjs\/dist)\/[\w.-]+\.js$/ }],
}
