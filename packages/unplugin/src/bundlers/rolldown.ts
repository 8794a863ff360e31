import type { Plugin } from 'rolldown'
import { defineBundler, throughUnplugin } from './bundler.ts'
import { rollupHooks } from './rollup.ts'

export const rolldown = defineBundler({
  label: 'Rolldown',
  debugIds: true,
  hooks: (options) => rollupHooks(options, 'rolldown'),
  plugin: throughUnplugin<Plugin>('rolldown'),
})
