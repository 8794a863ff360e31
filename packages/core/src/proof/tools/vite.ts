import type { Tool } from './tool.ts'

/** Its loader of chunks and their styles, and the polyfills that @vitejs/plugin-legacy bundles without `node_modules` in their names. */
export const vite: Tool = {
  name: 'Vite',
  marks: /modulepreload|preloadError|__vite/,
  // How it detects a style, and forgets what failed to load.
  pieces: [
    /\.pathname\.endsWith\(["'`]\.css["'`]\)/g,
    /throw ([\w$]+)\[([\w$]+)\]\s*=\s*void 0,\s*[\w$]+(?=\}\);return \1\[\2\]\s*=)/g,
  ],
  texts: /Unable to preload/,
  virtual: /(?:^|\/)virtual:|vite\/(?:preload-helper|modulepreload|legacy)/,
  own: [{ names: /^(?:\.\.\/)+(?:core-js\/(?:internals|modules)|regenerator-runtime|systemjs\/dist)\/[\w.-]+\.js$/ }],
}
