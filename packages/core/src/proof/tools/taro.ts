import type { Tool } from './tool.ts'

/** Its webpack runner writes `/` as `_` in names, for WeChat's tools. */
export const taro: Tool = {
  name: 'Taro',
  own: [
    { names: /^webpack:\/\/[^/]*\/(?:(?:\.{1,2}_)+node_modules_|webpack_(?:bootstrap$|runtime_))/ },
    // Several of its packages contain `../src/index.ts`, and webpack keeps the text of one.
    {
      names: /^webpack:\/\/[^/]*\/\.\.(?:[/_]src[/_]|[/_]taro-components[/_])/,
      beside: /[/_]node_modules[/_]@tarojs[/_]/,
    },
  ],
  // Its Vite runner inserts unmapped lines before modules of these, which users cannot fix.
  astray: /(?:^|\/)node_modules\/@tarojs\/(?:plugin-[\w-]+|react|runtime|shared|taro)\//,
}
