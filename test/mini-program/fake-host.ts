import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { compileFunction } from 'node:vm'

const GLOBALS = ['wx', 'App', 'Page', 'Component', 'Behavior', 'getApp', 'getCurrentPages', 'global']

/** What uni-app needs from `wx` while it loads. It copies enumerable properties. */
const COPIED = [
  'canIUse',
  'getSystemInfoSync',
  'getAppBaseInfo',
  'getDeviceInfo',
  'getWindowInfo',
  'getStorageSync',
  'getLaunchOptionsSync',
  'getEnterOptionsSync',
]

/**
 * Runs a built mini program's scripts in V8 under WeChat's addresses, until its pages register their crash functions
 * (`wx.symupCrash`). A stand-in for the host, which cannot run here: it renders nothing.
 * @returns the crash function of each page.
 */
export function loadMiniProgram(root: string, scripts: readonly string[]): Map<string, () => void> {
  const crashes = new Map<string, () => void>()
  // A function whose every property is also such a function.
  const nothing = (): unknown =>
    new Proxy(() => nothing(), {
      get: (target, key) =>
        key === Symbol.toPrimitive ? () => '' : key === 'prototype' ? Reflect.get(target, key) : nothing(),
    })
  const known: Record<string, unknown> = Object.fromEntries(COPIED.map((name) => [name, () => ({})]))
  const wx = new Proxy(
    { ...known, symupCrash: (page: string, crash: () => void) => crashes.set(page, crash) },
    {
      get: (known: Record<string, unknown>, key: string) => {
        // Not provided by the host: where webpack's chunks meet, and uni-app's own state.
        return known[key] ?? (/^(?:webpackJsonp$|\$)/.test(key) ? undefined : nothing())
      },
    },
  )
  const host = [wx, nothing(), nothing(), nothing(), nothing(), () => ({}), () => [], {}]
  const loaded = new Map<string, { exports: unknown }>()
  const load = (script: string): unknown => {
    const path = script.endsWith('.js') ? script : `${script}.js`
    const known = loaded.get(path)
    if (known) return known.exports
    const module = { exports: {} }
    loaded.set(path, module)
    const code = readFileSync(join(root, path), 'utf8')
    const run = compileFunction(code, ['require', 'module', 'exports', ...GLOBALS], { filename: `https://usr/${path}` })
    run((name: string) => load(posix.join(posix.dirname(path), name)), module, module.exports, ...host)
    return module.exports
  }
  for (const script of scripts) load(script)
  return crashes
}

/** The stack of the thrown error. */
export function stackOf(crash: () => void): string {
  try {
    crash()
  } catch (error) {
    return (error as Error).stack as string
  }
  throw new Error('nothing was thrown')
}
