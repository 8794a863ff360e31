import { pluginTool } from './plugin-tool.ts'
import type { Project } from './project.ts'

export const vitePress = pluginTool({
  id: 'vitepress',
  name: 'VitePress',
  stem: 'vitepress',
  tells: [],
  find: vitePressConfig,
  edit: { from: '@symup/unplugin/vite', at: ['vite', 'plugins'] },
  knowsPlace: true,
  mayCreate: false,
})

/** Finds the config in the directory that a script builds, such as `docs` in `vitepress build docs`. */
function vitePressConfig({ manifest: { scripts = {} }, read }: Project): string | undefined {
  const built = Object.values(scripts).map((line) => line.match(/\bvitepress\s+build(?:\s+([\w.][\w./-]*))?/))
  const [, directory = '.'] = built.find((it) => it !== null) ?? []
  const below = directory.replace(/^\.?\/+|\/+$|^\.$/g, '')
  const config = `${below === '' ? '' : `${below}/`}.vitepress/config`
  const paths = [`${config}/index`, config].flatMap((path) => ['mts', 'ts', 'mjs', 'js'].map((it) => `${path}.${it}`))
  return paths.find((path) => read(path) !== undefined)
}
