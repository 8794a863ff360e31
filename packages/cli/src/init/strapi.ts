import { editedConfigs, isRun } from './plugin-tool.ts'
import { dependency, type Tool } from './tool.ts'

/** Strapi calls the exported function with the config of its admin panel. */
const STRAPI_IN_TYPESCRIPT = {
  path: 'src/admin/vite.config.ts',
  after: `import symup from '@symup/unplugin/vite'
import { mergeConfig, type UserConfig } from 'vite'

export default (config: UserConfig) => mergeConfig(config, { plugins: [symup()] })
`,
}
const STRAPI_IN_JAVASCRIPT = {
  path: 'src/admin/vite.config.js',
  after: `const symup = require('@symup/unplugin/vite')
const { mergeConfig } = require('vite')

module.exports = (config) => mergeConfig(config, { plugins: [symup()] })
`,
}

export const strapi: Tool = {
  id: 'strapi',
  name: 'Strapi',
  evidence: (project) => (isRun(project, 'strapi') ? dependency(project, '@strapi/strapi') : undefined),
  setUp(project) {
    const from = '@symup/unplugin/vite'
    const packages = ['@symup/unplugin']
    const own = ['js', 'mjs', 'ts', 'mts'].map((extension) => `src/admin/vite.config.${extension}`)
    const path = own.find((file) => project.read(file) !== undefined)
    if (path === undefined) {
      const isTyped = project.files.includes('tsconfig.json')
      return { packages, changes: [isTyped ? STRAPI_IN_TYPESCRIPT : STRAPI_IN_JAVASCRIPT] }
    }
    return { packages, ...editedConfigs(project, [path], { from }) }
  },
}
