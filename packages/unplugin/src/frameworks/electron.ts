import { resolve } from 'node:path'
import { nameBelow } from '@symup/core'
import { t } from '@symup/core/text'
import type { ResolvedConfig } from 'vite'
import { prefixFrom } from '../bundlers/public-path.ts'
import { type Framework, hasPluginLike, projectAbove } from './framework.ts'

/** The pages have a relative base, so the prefix is the output's path in the project, which is the same in the installed app. */
const prefixIn = (project: string, { root, build }: ResolvedConfig) =>
  prefixFrom(`app:///${nameBelow(project, resolve(root, build.outDir))}`, t`the Electron app's build.outDir`)

/** electron-vite builds the main process and the preload scripts in the same way as server code. */
export const electronVite: Framework = {
  label: 'electron-vite',
  detect: hasPluginLike(/^vite:electron-/),
  isBelowProject: true,
  shipsServer: true,
  prefix: (config) => prefixIn(projectAbove(config.root), config),
}

/** Electron Forge builds each part of an app in a separate process, and adds its own plugin to only some of them. */
export const electronForge: Framework = {
  label: 'Electron Forge',
  detect: ({ outDir }) => /^\.vite\/(?:build|renderer\/[^/]*)$/.test(outDir),
  prefix: (config) => prefixIn(config.root, config),
  outputs(output) {
    output.shared = true
  },
}
