import { uploading } from './after-build.ts'
import { hasAny, literalIn } from './edit-config.ts'
import { pluginTool } from './plugin-tool.ts'
import type { Project } from './project.ts'
import { olderThanPlugin } from './too-old.ts'
import { dependency, type Tool } from './tool.ts'

const webpack = pluginTool({
  id: 'umi',
  name: 'Umi',
  stem: 'umi',
  tells: [],
  find: umiConfig,
  edit: {
    from: '@symup/unplugin/webpack',
    at: ['chainWebpack'],
    made: "chainWebpack: (memo) => { memo.plugin('symup').use(symup()) }",
  },
  knowsPlace: true,
  mayCreate: false,
})

/** Umi builds with webpack unless its config sets another bundler. Other bundlers do not run webpack plugins. Umi 3 uses webpack 4. */
export const umi: Tool = {
  ...webpack,
  setUp(project) {
    const older = olderThanPlugin(project, 'umi', 'Umi', { least: '4' })
    if (older) return older
    const config = project.read(umiConfig(project) ?? '') ?? ''
    if (!hasAny(config, ['mako', 'utoopack', 'vite'])) return webpack.setUp(project)
    const place = literalIn(config, ['publicPath']) ?? '/'
    const minifiedPathPrefix = /^(?:\/|https?:)/.test(place) ? place : '/'
    return uploading(project, literalIn(config, ['outputPath']) ?? 'dist', { minifiedPathPrefix })
  },
}

function umiConfig(project: Project): string | undefined {
  if (dependency(project, 'umi', '@umijs/max') === undefined) return undefined
  const paths = ['.umirc.ts', '.umirc.js', 'config/config.ts', 'config/config.js']
  return paths.find((path) => project.read(path) !== undefined)
}
