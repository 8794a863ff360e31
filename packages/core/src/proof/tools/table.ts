import { esbuild } from './esbuild.ts'
import { nitro } from './nitro.ts'
import { obfuscator } from './obfuscator.ts'
import { swc } from './swc.ts'
import type { Tool } from './tool.ts'
import { tsLoader } from './ts-loader.ts'
import { vue } from './vue.ts'
import { webpack } from './webpack.ts'

/** The tools that the check knows. Tools with code of their own have their own file. */
export const TOOLS: readonly Tool[] = [
  // Bundlers and their loaders
  /**
   * Matches Vite's loader for chunks and their styles, and the polyfills from @vitejs/plugin-legacy, whose source names do not contain
   * `node_modules`.
   */
  {
    name: 'Vite',
    marks: /modulepreload|preloadError|__vite/,
    // The first pattern matches code that detects style sheets. The second pattern matches code that removes failed loads from the cache.
    pieces: [
      /\.pathname\.endsWith\(["'`]\.css["'`]\)/g,
      /throw ([\w$]+)\[([\w$]+)\]\s*=\s*void 0,\s*[\w$]+(?=\}\);return \1\[\2\]\s*=)/g,
    ],
    texts: /Unable to preload/,
    virtual: /(?:^|\/)virtual:|vite\/(?:preload-helper|modulepreload|legacy)/,
    own: [{ names: /^(?:\.\.\/)+(?:core-js\/(?:internals|modules)|regenerator-runtime|systemjs\/dist)\/[\w.-]+\.js$/ }],
  },
  /** Matches the virtual modules of Rollup's plugins, and the code that its plugins for CommonJS and dynamic imports add. */
  {
    name: 'Rollup',
    marks: /Could not dynamically require|Unknown variable dynamic import/,
    exportsAtEnd: /\bexport\s*\{[^{}]*\}/,
    virtual: /\0|commonjsHelpers/,
  },
  /** Rolldown uses the helpers of esbuild. */
  { name: 'Rolldown', virtual: /rolldown\/runtime/ },
  esbuild,
  webpack,
  /** Rspack's other output matches the patterns for webpack. */
  { name: 'Rspack', marks: /__rspack|rspackChunk/ },
  {
    name: 'Turbopack',
    marks: /__turbopack|TURBOPACK/,
    // In Turbopack's lists of exports, such as `e.s(["total",0,t])`, a name is not mapped to its declaration in the source.
    exportedName: /^[\w$]+["'],0,/,
    virtual: /^turbopack:\/\/\/\[turbopack\]\//,
  },
  { name: 'Farm', marks: /__farm_|Module \$\{[\w$]+\} didn/ },
  /** Matches the Module Federation runtime, which Rspack generates from a string. */
  {
    name: 'Module Federation',
    marks: /__mf[A-Z_]|__FEDERATION__/,
    virtual: /__mfe_internal__|^(?:webpack:\/\/[^/]*\/)?(?:data:|==|module_federation\/runtime$)/,
  },
  /**
   * Matches module wrappers for SystemJS and AMD loaders, and the SystemJS loader itself, which @vitejs/plugin-legacy bundles without
   * mappings.
   */
  {
    name: 'SystemJS',
    marks: /System\.register|define\.amd/,
    unmapped: /\(SystemJS https:\/\/github\.com\/systemjs\//,
  },
  // Compilers
  /** Matches the helpers of Babel. swc and oxc contain copies of the helpers, so all three emit the same names and strings. */
  {
    name: 'Babel',
    marks:
      /__esModule|defineProperty\(exports|_interop|function _[a-z]+[A-Z]\w*\(|Cannot call a class as a function|[Ii]nvalid attempt to|on non-instance|Super expression must|hasn't been initiali|is not iterable|_didIteratorError|Symbol\.iterator|Symbol\.asyncIterator|Reflect\.construct|null==\w+\.return|"Arguments"===|Private (?:method|accessor|element|field) |attempted to |[Dd]ecorator|@@toPrimitive must|Symbol\.dispose|is not disposable|\braw:\s*\{\s*value:/,
    texts:
      /Private element|Cannot initialize the same|iterator result is not|iterator does not provide|Class extends value|Derived constructors|An error was suppressed|is not (?:defined|supported|a function|an object|disposable)|unsupported |Unexpected /,
    errors:
      /Cannot call a class as a function|Derived constructors|[Ii]nvalid attempt to|Object is not (?:async )?iterable|Super expression must|attempted to |this hasn't been initiali|@@\w+ /,
    calls:
      /default\w*|__\w*|_(?:assertClassBrand|checkPrivateRedeclaration|defineProperty|(?:asyncGenerator|asyncToGenerator|classPrivate|classStatic|objectSpread|objectWithout|superProp|wrapAsync)\w*)/,
  },
  swc,
  /**
   * Matches the TypeScript helpers (tslib) for generators, decorators, imports, the end of loops, and object rest. swc also uses these
   * helpers.
   */
  {
    name: 'TypeScript',
    marks: /importStar|importDefault|\btrys\b|Reflect\.(?:decorate|metadata)|&& ?\([\w$]+ ?= ?[\w$]+\.return\)/,
    pieces: [
      /\.getOwnPropertySymbols\(([\w$]+)\);\s*([\w$]+)\s*<\s*([\w$]+)\.length;\s*(?:\2\+\+)?\)\s*\{?\s*(?:if\s*\()?[\w$]+\.indexOf\(\3\[\2(?:\+\+)?\]\)\s*<\s*0/g,
    ],
  },
  tsLoader,
  /** Matches the runtime for generators and async functions in older browsers. */
  {
    name: 'regenerator',
    marks: /regeneratorRuntime|Generator is already (?:executing|running)|dispatchException|try statement without/,
    texts: /try statement without/,
    errors: /Generator is already/,
    calls: /wrap|mark|stop|abrupt|sent/,
  },
  /** Matches polyfills and generator helpers from Closure Compiler. */
  {
    name: 'Closure Compiler',
    helpers: /\$jscomp/,
    calls: /(?:enter|leave|set)(?:Try|Catch|Finally|CatchFinally)Blocks?|get\w+Jsc|jumpTo(?:End)?|yield(?:All)?/,
    virtual: /^(?:src\/com\/google\/javascript\/jscomp\/js\/| ?\[synthetic:)/,
  },
  /** Matches the wrapper of a Flutter app. */
  {
    name: 'dart2js',
    marks:
      /dartProgram|TearOff\(|hunkHelpers|__dart_|dispatchPropertyName|nativeSuperclassTag|dartMainRunner|=="symbol"\)return \w+\.|\$\d\$\d\([^()]*this\.\$ti\./,
  },
  obfuscator,
  // Components and templates
  /** Matches React components and the JSX runtime calls that they are compiled to. */
  {
    name: 'React',
    calls: /create\w*|jsx\w*/,
    markup: /\bcreateElement\(|\b_?jsx(?:s|DEV)?\)?\(/,
    markedUp: /\.[jt]sx(?:$|\?)/,
  },
  vue,
  { name: 'Svelte', component: /\.svelte(?:$|\?)/, markedUp: /\.svelte(?:$|\?)/ },
  { name: 'Astro', component: /\.astro(?:$|\?)/, markedUp: /\.astro(?:$|\?)/ },
  { name: 'Marko', component: /\.marko(?:$|\?)/ },
  /** Angular's compiler turns templates into calls with generated names. */
  { name: 'Angular', template: /\.html$/ },
  /** The names of the modules that Stencil generates look like import specifiers instead of file names. */
  { name: 'Stencil', virtual: /^@[\w-]+(?:(?:\/[\w-]+)+$|-entrypoint\?)/ },
  { name: 'VitePress', prose: /\.(?:md|mdx|markdown)$/i },
  // Frameworks and plugins
  /**
   * The maps in the Next.js package contain relative names, which webpack resolves as if the sources belonged to the project:
   * `webpack://_N_E/../../src/client/index.tsx`. On the server, the name of the project replaces `_N_E`.
   */
  {
    name: 'Next.js',
    own: [
      {
        names:
          /^webpack:\/\/[^/]*\/(?:\.\.\/)+src\/(?:api|build|client|export|lib|next-devtools|pages|server|shared)\//,
        beside: /^webpack:\/\/_N_E\/|\/node_modules\/next\/dist\/|^webpack:\/\/[^/]*\/\?[0-9a-f]+$/,
      },
    ],
  },
  nitro,
  { name: 'TanStack Start', marks: /Server function (?:info|module) / },
  /** Taro's webpack runner replaces `/` with `_` in source names for compatibility with WeChat's tools. */
  {
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
  },
  {
    name: 'uni-app',
    // In builds for Alipay, the source name of a library consists only of a file name.
    own: [{ names: /^[^/:]+$/, beside: /^uni\.mp\.esm\.js$/ }],
    // Matches a page's list of components, which is never executed.
    pieces: [/\bif\s*\(!(?:Array|Math)\)\s*\{[^{}]{0,4000}\}|\b(?:Array|Math)\s*\|\|\s*\([^;{}]{0,4000}\)\(\)/g],
    // Matches the Vue package. In builds for Alipay, a helper from Vue's Vite plugin precedes the package.
    unmapped:
      /^(?:["']use strict["'];?)?(?:const _export_sfc=[^\n]{0,200})?\s*\/\*\*\s*\* @vue\/[\w-]+ v\d+\.\d+\.\d+\s*\* \(c\) /,
  },
  { name: 'WXT', marks: /crashed on startup!/ },
  /** Matches the registration code from vite-plugin-pwa, and the service worker that Workbox bundles from a temporary directory. */
  {
    name: 'vite-plugin-pwa',
    marks: /registerSW|serviceWorker/,
    virtual: /(?:^|\/)[0-9a-f]{32}\/sw\.js$/,
  },
]
