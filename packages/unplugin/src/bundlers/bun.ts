import { resolve } from 'node:path'
import { nameBelow } from '@symup/core'
import { t } from '@symup/core/text'
import { BuildSession } from '../build-session.ts'
import { decideMaps, type MapSetting } from '../maps.ts'
import type { SymupOptions } from '../options.ts'
import { outputOf } from '../output.ts'
import { prefixOfBuild } from '../prefix.ts'
import { placed } from '../server.ts'
import { defineBundler, throughUnplugin } from './bundler.ts'
import { prefixFrom } from './public-path.ts'

/** The part of Bun's plugin builder that symup uses. unplugin rejects Bun versions before 1.2.22, in which `onEnd` does not exist. */
interface BunBuild {
  config: { outdir?: string; publicPath?: string; sourcemap?: unknown; root?: string; target?: string }
  onEnd(callback: (result: BunResult) => Promise<void> | void): unknown
}

interface BunResult {
  success: boolean
  outputs: readonly { path: string }[]
}

export const bun = defineBundler({
  label: 'Bun',
  debugIds: false,
  hooks: (options) => [{ setup: (build: object) => setUp(build as BunBuild, options) }],
  // Bun's own types are in a package that may not be installed, so they are not imported.
  plugin: throughUnplugin<{ name: string; setup: (build: object) => void | Promise<void> }>('bun'),
})

/**
 * `Bun.build` has no watch mode, so each build is a release. Only Bun's command-line interface has a watch mode, and it does not accept
 * plugins.
 */
function setUp(build: BunBuild, given: SymupOptions): void {
  const { config } = build
  const session = new BuildSession(given, 'bun')
  if (config.outdir === undefined) {
    session.log({ severity: 'warning', text: t`No outdir is set, so nothing is uploaded.` })
    return
  }
  const labels = { now: t`sourcemap is ${config.sourcemap}`, hidden: "sourcemap: 'external'" }
  const { deletes, hide, problems } = decideMaps(settingOf(config.sourcemap), given.deleteAfterUpload, labels)
  if (hide) config.sourcemap = 'external'
  const directory = resolve(config.outdir)
  const isForNode = config.target === 'node' || config.target === 'bun'
  const { options, target } = placed(given, { isForNode, directory })
  const prefix = prefixOfBuild(prefixFrom(config.publicPath, 'publicPath'), { isForNode })
  session.open({ options, root: process.cwd(), prefix }, problems)
  build.onEnd(async ({ success, outputs }) => {
    if (!success) return
    const files = outputs.map(({ path }) => nameBelow(directory, resolve(path)))
    // Other builds and scripts may also write to the output directory, so it is marked as shared.
    await session.finish({ outputs: [outputOf(directory, files, { deletes, target, shared: true })] })
  })
}

function settingOf(sourcemap: unknown): MapSetting {
  if (sourcemap === undefined) return 'unset'
  if (sourcemap === false || sourcemap === 'none') return 'none'
  if (sourcemap === 'external') return 'hidden'
  return sourcemap === 'linked' ? 'linked' : 'inline'
}
