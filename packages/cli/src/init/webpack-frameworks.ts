import { basename } from 'node:path'
import { t } from '@symup/core/text'
import { editedConfigs, isRun } from './plugin-tool.ts'
import type { Project } from './project.ts'
import { lineEnd, withLastLine } from './splice.ts'
import { dependency, edited, fileLike, type Tool } from './tool.ts'

const from = '@symup/unplugin/webpack'
const packages = ['@symup/unplugin']

/** `@wordpress/scripts` exports several configs if script modules are enabled. */
const WORDPRESS_CONFIG = `const withSymup = (config) => ({ ...config, plugins: [...config.plugins, symup()] })
`
const EXPORTED = 'Array.isArray(defaultConfig) ? defaultConfig.map(withSymup) : withSymup(defaultConfig)'

function wordPressConfig({ manifest: { type } }: Project): string {
  return type === 'module'
    ? `import symup from '${from}'\nimport defaultConfig from '@wordpress/scripts/config/webpack.config.js'\n\n${WORDPRESS_CONFIG}\nexport default ${EXPORTED}\n`
    : `const symup = require('${from}')\nconst defaultConfig = require('@wordpress/scripts/config/webpack.config')\n\n${WORDPRESS_CONFIG}\nmodule.exports = ${EXPORTED}\n`
}

const wordPress: Tool = {
  id: 'wordpress',
  name: '@wordpress/scripts',
  evidence: (project) => (isRun(project, 'wp-scripts') ? dependency(project, '@wordpress/scripts') : undefined),
  setUp(project) {
    const path = fileLike(project, /^webpack\.config(?:\.babel)?\.js$/)
    const setup = path
      ? { packages, ...editedConfigs(project, [path], { from }) }
      : { packages, changes: [{ path: 'webpack.config.js', after: wordPressConfig(project) }] }
    return { ...setup, minifiedPathPrefix: wordPressPlace(project) }
  },
}

/**
 * Returns the deployment address. WordPress deploys themes and plugins to a directory with the project's name. A project is a theme if its
 * style sheet contains a theme name. Otherwise, it is a plugin.
 */
function wordPressPlace({ cwd, read, manifest: { scripts = {} } }: Project): string {
  const kind = /^[ \t/*]*Theme Name:/m.test(read('style.css') ?? '') ? 'themes' : 'plugins'
  const output = /\bwp-scripts build\b[^&|;]*--output-path[= ](?:\.\/)?([\w./-]+)/.exec(
    Object.values(scripts).join(';'),
  )
  return `/wp-content/${kind}/${basename(cwd)}/${output?.[1]?.replace(/\/$/, '') ?? 'build'}/`
}

const laravelMix: Tool = {
  id: 'laravel-mix',
  name: 'Laravel Mix',
  evidence: (project) => dependency(project, 'laravel-mix') && fileLike(project, /^webpack\.mix\.[cm]?js$/),
  setUp(project) {
    const path = fileLike(project, /^webpack\.mix\.[cm]?js$/) ?? 'webpack.mix.js'
    const change = (before: string) => {
      const [, mix] = /\b(?:const|let|var)\s+([\w$]+)\s*=\s*require\(['"]laravel-mix['"]\)/.exec(before) ?? []
      if (before.includes(from)) return before
      return mix && withLastLine(before, `${mix}.webpackConfig({ plugins: [require('${from}')()] });`)
    }
    const code = `import symup from '${from}'\n\nmix.webpackConfig({ plugins: [symup()] });`
    return { packages, ...edited(project, [{ path, change, byHand: byHand(path, code) }]), minifiedPathPrefix: '/' }
  },
}

const SHAKAPACKER_CONFIG = ['js', 'ts'].map((extension) => `config/webpack/webpack.config.${extension}`)

/** Shakapacker (webpack for Ruby on Rails) generates source maps that would be deployed. Shakapacker sets the deployment address itself. */
const shakapacker: Tool = {
  id: 'shakapacker',
  name: 'Shakapacker',
  evidence: (project) => dependency(project, 'shakapacker'),
  setUp(project) {
    const path = SHAKAPACKER_CONFIG.find((it) => project.read(it) !== undefined) ?? 'config/webpack/webpack.config.js'
    const call = 'generateWebpackConfig({ plugins: [symup({ deleteAfterUpload: true })] })'
    const loads = /^(?:import|const) .*(['"])shakapacker\1.*$/m
    const empty = 'generateWebpackConfig()'
    const change = (before: string) => {
      if (before.includes(from)) return before
      if (before.split(empty).length !== 2 || !loads.test(before)) return undefined
      return before.replace(empty, call).replace(loads, (line) => {
        const end = line.endsWith(';') ? ';' : ''
        const importing = line.startsWith('import') ? `import symup from '${from}'` : `const symup = require('${from}')`
        return `${line}${lineEnd(before)}${importing}${end}`
      })
    }
    const code = `const symup = require('${from}')\n\n${call}`
    return { packages, ...edited(project, [{ path, change, byHand: byHand(path, code) }]) }
  },
}

const byHand = (path: string, code: string) => t`init cannot edit ${path} automatically. Add this code:\n\n${code}`

export const WEBPACK_FRAMEWORKS: readonly Tool[] = [wordPress, laravelMix, shakapacker]
