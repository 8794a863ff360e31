import { t } from '@symup/core/text'
import { type Framework, hasPluginLike } from './framework.ts'

/** Tools that build with the project's own Vite config what is never deployed as the app: the name of a plugin of theirs. */
const TOOLS: readonly (readonly [plugin: RegExp, label: string])[] = [
  [/^storybook:/, 'Storybook'],
  [/^vitest(?:$|:)/, 'Vitest'],
  [/^playwright:/, 'Playwright'],
  [/^ladle:/, 'Ladle'],
  [/^histoire[-:]/, 'Histoire'],
  [/^vite-node(?:$|:)/, 'vite-node'],
]

/**
 * uni-app makes a mini program with the config of the site, too. Stacks of a mini program are resolved by the archive of `@symup/mini-program`. (Taro's
 * Vite runner is of Vite 4, which is refused.)
 */
const uniApp: Framework = {
  label: 'uni-app',
  detect: () => process.env.UNI_PLATFORM?.startsWith('mp-') === true,
  ignored: () => t`This build is a mini program: @symup/mini-program uploads it, and this plugin leaves it alone.`,
}

export const INHERITORS: readonly Framework[] = [
  ...TOOLS.map(
    ([plugin, label]): Framework => ({
      label,
      detect: hasPluginLike(plugin),
      ignored: () => t`${label} builds with this config: nothing is uploaded.`,
    }),
  ),
  uniApp,
]
