import type { Tool } from './tool.ts'

/** Taro's webpack runner replaces `/` with `_` in source names for compatibility with WeChat's tools. */
export const taro: Tool = {
  name: 'Taro',
  own: [
    { names: /^webpack:\/\/[^/]*\/(?:(?:\.{1,2}_)+node_modules_|webpack_(?:bootstrap$|runtime_))/ },
    // Several Taro packages contain a source named `../src/index.ts`, and webpack keeps the text of only one of them.
    {
      names: /^webpack:\/\/[^/]*\/\.\.(?:[/_]src[/_]|[/_]taro-components[/_])/,
      beside: /[/_]node_modules[/_]@tarojs[/_]/,
    },
  ],
  // Taro's Vite runner inserts unmapped lines before the modules of Taro's own packages. Users cannot fix these maps.
  astray: /(?:^|\/)node_modules\/@tarojs\/(?:plugin-[\w-]+|react|runtime|shared|taro)\//,
}
