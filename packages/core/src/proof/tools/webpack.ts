import { t } from '../../text.ts'
import type { Tool } from './tool.ts'

/** webpack's module wrappers, chunk starts, and placeholders for missing modules. */
export const webpack: Tool = {
  name: 'webpack',
  marks: /__webpack|webpackChunk|webpackJsonp|exports:\s*\{\}|Cannot find module|MODULE_NOT_FOUND/,
  texts: /Loading (?:CSS )?chunk/,
  virtual:
    /\(webpack\)|^webpack:\/\/[^/]*\/\?[0-9a-f]+$|webpack\/(?:bootstrap|runtime|container|sharing)|(?:^|\/)webpack\/(?:universalModuleDefinition|(?:before-|after-)?startup)$|^external |\/external (?:[\w-]+ )?["[{]/,
}

/** The start of a module's name, with Next's layer before the path: `webpack://_N_E/(rsc)/./app/page.tsx`. */
const MODULE = /^webpack:\/\/[^/]*\/(?:\([\w-]+\)\/)?/

/** The path of a module, as the configuration resolves it; undefined for another bundler's source. */
export function modulePath(name: string): string | undefined {
  return MODULE.test(name) ? name.replace(MODULE, '') : undefined
}

/** The fix for a loader or plugin that returned no map. */
export function loaderFix(plugin: string): string {
  return t`Turn on source maps in ${plugin}, or configure it to preserve line breaks. If the webpack devtool contains "cheap" but not "module", loaders do not generate source maps.`
}
