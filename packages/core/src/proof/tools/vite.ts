import type { Tool } from './tool.ts'

/** Vite's loader for chunks and their styles, and the polyfills of @vitejs/plugin-legacy, which have no `node_modules` in their names. */
export const vite: Tool = {
  name: 'Vite',
  marks: /modulepreload|preloadError|__vite/,
  // Code that detects a style sheet, and code that forgets failed loads.
  pieces: [
    /\.pathname\.endsWith\(["'`]\.css["'`]\)/g,
    /throw ([\w$]+)\[([\w$]+)\]\s*=\s*void 0,\s*[\w$]+(?=\}\);return \1\[\2\]\s*=)/g,
  ],
  texts: /Unable to preload/,
  virtual: /(?:^|\/)virtual:|vite\/(?:preload-helper|modulepreload|legacy)/,
  own: [{ names: /^(?:\.\.\/)+(?:core-js\/(?:internals|modules)|regenerator-runtime|systemjs\/dist)\/[\w.-]+\.js$/ }],
}
