import { t } from '@symup/core/text'
import { type Framework, hasPluginLike } from './framework.ts'

/**
 * Tools that use the project's Vite config for builds other than the deployed app. Each tool is detected by the name of one of its plugins.
 */
const TOOLS: readonly (readonly [plugin: RegExp, label: string])[] = [
  [/^storybook:/, 'Storybook'],
  [/^vitest(?:$|:)/, 'Vitest'],
  [/^playwright:/, 'Playwright'],
  [/^ladle:/, 'Ladle'],
  [/^histoire[-:]/, 'Histoire'],
  [/^vite-node(?:$|:)/, 'vite-node'],
]

/**
 * uni-app also builds mini programs with the site's config. `@symup/mini-program` uploads the archive that resolves a mini program's
 * stacks. Taro needs no entry, because its Vite runner uses Vite 4, which symup does not support.
 */
const uniApp: Framework = {
  label: 'uni-app',
  detect: () => process.env.UNI_PLATFORM?.startsWith('mp-') === true,
  ignored: () => t`This build is a mini program, so @symup/mini-program uploads it and this plugin ignores it.`,
}

export const INHERITORS: readonly Framework[] = [
  ...TOOLS.map(
    ([plugin, label]): Framework => ({
      label,
      detect: hasPluginLike(plugin),
      ignored: () => t`${label} uses this config for its own builds, so nothing is uploaded.`,
    }),
  ),
  uniApp,
]
