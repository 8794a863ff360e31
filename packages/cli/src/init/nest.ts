import { uploading } from './after-build.ts'
import { valueAt, withValue } from './edit-json.ts'
import { editedConfigs, isRun, pluginTool } from './plugin-tool.ts'
import type { Project } from './project.ts'
import { changeOf, configFile, dependency, type Tool } from './tool.ts'

const from = '@symup/unplugin/webpack'
const packages = ['@symup/unplugin']

/**
 * The webpack config for Nest. Nest passes its default config to the exported function. Nest supports webpack only in CommonJS projects.
 */
const WEBPACK_CONFIG = {
  path: 'webpack.config.js',
  after: `const symup = require('${from}')

module.exports = (options) => ({ ...options, plugins: [...options.plugins, symup()] })
`,
}

/**
 * Returns whether the project is built by webpack, which is the default in monorepos. With webpack, `nest build` does not generate source
 * maps, even if tsconfig.json enables them.
 */
function isBuiltByWebpack({ read, manifest: { scripts = {} } }: Project): boolean {
  const { webpack, builder } = (valueAt(read('nest-cli.json'), ['compilerOptions']) ?? {}) as Record<string, unknown>
  const type = (builder as { type?: unknown } | undefined)?.type ?? builder
  const flag = /\bnest build\b[^&|;]*(?:--webpack\b(?!Path)|(?:-b|--builder)[ =]webpack\b)/
  return webpack === true || type === 'webpack' || Object.values(scripts).some((line) => flag.test(line))
}

/** Returns the webpack config that a script or nest-cli.json specifies. Nest then ignores all other configs. */
function namedConfig({ read, manifest: { scripts = {} } }: Project): string | undefined {
  const [, flag] = /\bnest build\b[^&|;]*--webpackPath[ =]([^\s&|;]+)/.exec(Object.values(scripts).join(';')) ?? []
  const inBuilder = ['builder', 'options', 'configPath']
  const [named] = [['webpackConfigPath'], inBuilder]
    .map((path) => valueAt(read('nest-cli.json'), ['compilerOptions', ...path]))
    .filter((value) => typeof value === 'string')
  return (flag ?? named)?.replace(/^\.\//, '')
}

/** Stacks from Node contain paths on the server. The prefix `app:///dist` matches such paths in any directory. */
export const nest: Tool = {
  id: 'nest',
  name: 'Nest',
  evidence: (project) => (isRun(project, 'nest') ? dependency(project, '@nestjs/cli') : undefined),
  setUp(project) {
    const path = 'tsconfig.json'
    const before = project.read(path)
    const outDir = valueAt(before, ['compilerOptions', 'outDir'])
    const directory = typeof outDir === 'string' ? outDir.replace(/^\.\/|\/$/g, '') : 'dist'
    const minifiedPathPrefix = `app:///${directory}`
    const isWebpacks = isBuiltByWebpack(project)
    const named = isWebpacks ? namedConfig(project) : undefined
    if (named !== undefined) return { packages, ...editedConfigs(project, [named], { from }), minifiedPathPrefix }
    const id = ['rspack', 'webpack'].find((stem) => configFile(project, stem))
    if (id) return { ...pluginTool({ id, name: id, stem: id, tells: [] }).setUp(project), minifiedPathPrefix }
    if (isWebpacks) return { packages, changes: [WEBPACK_CONFIG], minifiedPathPrefix }
    // Source code is shown in stacks only if the map contains the sources.
    const after = ['sourceMap', 'inlineSources'].reduce((text, name) => {
      const place = ['compilerOptions', name]
      return valueAt(text, place) === true ? text : (withValue(text, place, true) ?? text)
    }, before ?? '')
    const changes = before === undefined ? [] : changeOf(path, before, after)
    return uploading(project, directory, { changes, minifiedPathPrefix })
  },
}
