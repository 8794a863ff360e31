import { expect, it } from 'vitest'
import { OPTIONS } from '../dry-run.fixture.ts'
import esbuild from '../esbuild.ts'
import rollup from '../rollup.ts'
import rsbuild from '../rsbuild.ts'
import rspack from '../rspack.ts'
import vite from '../vite.ts'
import webpack from '../webpack.ts'

/** Finds a hook of a plugin by name. */
const hookNamed = (plugins: unknown, hook: string) =>
  [plugins].flat().find((plugin) => hook in (plugin as object)) as Record<string, (...args: unknown[]) => unknown>
const compiler = { options: { plugins: [] }, hooks: { run: {}, done: {} }, context: '/' }

it.each<[string, string, () => unknown]>([
  ['Vite', '5', () => hookNamed(vite(OPTIONS), 'options').options?.call({ meta: { rollupVersion: '3.29.5' } }, {})],
  [
    'Rollup',
    '4',
    () => hookNamed(rollup(OPTIONS), 'buildStart').buildStart?.call({ meta: { rollupVersion: '2.80.0' } }, {}),
  ],
  // webpack 4 lacks `initialize`, Rspack 0 lacks `rspack`, Rsbuild 1.0 lacks `logger`, esbuild 0.16 lacks `onDispose`.
  ['webpack', '5.76', () => hookNamed(webpack(OPTIONS), 'apply').apply?.(compiler)],
  ['Rspack', '1', () => hookNamed(rspack(OPTIONS), 'apply').apply?.(compiler)],
  ['Rsbuild', '2', () => hookNamed(rsbuild(OPTIONS), 'setup').setup?.({ context: {}, modifyRspackConfig() {} })],
  ['esbuild', '0.20', () => hookNamed(esbuild(OPTIONS), 'setup').setup?.({ initialOptions: {} })],
])('refuses a version of %s that is too old', async (label, least, call) => {
  const message = `This version of ${label} is too old. The symup plugin requires ${label} ${least} or later.`
  await expect(async () => call()).rejects.toThrow(
    expect.objectContaining({ problems: [expect.objectContaining({ code: 'bundler-too-old', message })] }),
  )
})
