import { t } from '../../text.ts'
import type { Tool } from './tool.ts'

/** Matches webpack's module wrappers, the start of chunks, and the placeholders for missing modules. */
export const webpack: Tool = {
  name: 'webpack',
  marks: /__webpack|webpackChunk|webpackJsonp|exports:\s*\{\}|Cannot find module|MODULE_NOT_FOUND/,
  texts: /Loading (?:CSS )?chunk/,
  virtual:
    /\(webpack\)|^webpack:\/\/[^/]*\/\?[0-9a-f]+$|webpack\/(?:bootstrap|runtime|container|sharing)|(?:^|\/)webpack\/(?:universalModuleDefinition|(?:before-|after-)?startup)$|^external |\/external (?:[\w-]+ )?["[{]/,
}

/** Matches the start of a module name. Next.js adds a layer before the path, as in `webpack://_N_E/(rsc)/./app/page.tsx`. */
const MODULE = /^webpack:\/\/[^/]*\/(?:\([\w-]+\)\/)?/

/** Returns a module's path as it appears in bundler configurations, or undefined if another bundler generated the name. */
export function modulePath(name: string): string | undefined {
  return MODULE.test(name) ? name.replace(MODULE, '') : undefined
}

export function loaderFix(plugin: string): string {
  return t`Turn on source maps in ${plugin}, or configure it to preserve line breaks. If the webpack devtool contains "cheap" but not "module", loaders do not generate source maps.`
}
