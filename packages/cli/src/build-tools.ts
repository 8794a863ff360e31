/** A build tool, how it is known, and what a user adds to it. */
export interface BuildTool {
  name: string
  /** What in the project says so. */
  evidence?: string
  install?: string
  snippet: string
}

interface Detector extends Omit<BuildTool, 'evidence'> {
  /** Matches a file in the project directory. */
  file?: RegExp
  /** Matches one of the project's npm dependencies. */
  dependency?: RegExp
}

const UNPLUGIN = 'npm install --save-dev @symup/unplugin'
const COMMAND = 'npm install --save-dev symup'

const inPlugins = (entry: string, file: string, config: string) =>
  `// ${file}\nimport symup from '@symup/unplugin/${entry}'\n\n${config}`

/** In this order: a framework before the bundler inside it, a bundler that has a config file before one that is only installed. */
const DETECTORS: readonly Detector[] = [
  {
    name: 'Taro',
    dependency: /^@tarojs\/cli$/,
    install: 'npm install --save-dev @symup/mini-program',
    snippet: "// config/index.js\nplugins: [['@symup/mini-program/taro', { version: '1.2.3' }]],",
  },
  {
    name: 'uni-app',
    dependency: /^@dcloudio\/vite-plugin-uni$/,
    install: 'npm install --save-dev @symup/mini-program',
    snippet:
      "// vite.config.ts\nimport uni from '@dcloudio/vite-plugin-uni'\nimport symup from '@symup/mini-program/uni-app'\n\nexport default { plugins: [uni(), symup({ version: '1.2.3' })] }",
  },
  {
    name: 'HarmonyOS (hvigor)',
    file: /^hvigorfile\.[jt]s$/,
    snippet:
      '// hvigorfile.ts, and "@symup/hvigor" under dependencies in hvigor/hvigor-config.json5\nimport { symup } from \'@symup/hvigor\'\n\nexport default { system: hapTasks, plugins: [symup({})] }',
  },
  {
    name: 'Android (Gradle)',
    file: /^(?:build|settings)\.gradle(?:\.kts)?$/,
    install: 'npm install --save-dev @symup/android',
    snippet:
      "// app/build.gradle, after the Android plugin\napply from: '../node_modules/@symup/android/symup.gradle'\n\n// then: ./gradlew assembleRelease uploadMappingRelease",
  },
  {
    name: 'Xcode',
    file: /\.(?:xcodeproj|xcworkspace)$/,
    install: COMMAND,
    snippet: '# after archiving\nnpx symup ios upload "$DWARF_DSYM_FOLDER_PATH"',
  },
  {
    name: 'Next.js',
    file: /^next\.config\.[cm]?[jt]s$/,
    install: COMMAND,
    snippet:
      '// next.config.js\nproductionBrowserSourceMaps: true,\n\n# after next build\nnpx symup web upload .next/static --release-version 1.2.3 --minified-path-prefix /_next/static',
  },
  {
    name: 'Vite',
    file: /^vite\.config\.[cm]?[jt]s$/,
    install: UNPLUGIN,
    snippet: inPlugins(
      'vite',
      'vite.config.ts',
      "export default { base: '/', plugins: [symup({ version: '1.2.3' })] }",
    ),
  },
  {
    name: 'Rspack',
    file: /^rspack\.config\.[cm]?[jt]s$/,
    install: UNPLUGIN,
    snippet: inPlugins(
      'rspack',
      'rspack.config.mjs',
      "export default { output: { publicPath: '/' }, plugins: [symup({ version: '1.2.3' })] }",
    ),
  },
  {
    name: 'Rsbuild',
    file: /^rsbuild\.config\.[cm]?[jt]s$/,
    install: UNPLUGIN,
    snippet: inPlugins('rsbuild', 'rsbuild.config.ts', "export default { plugins: [symup({ version: '1.2.3' })] }"),
  },
  {
    name: 'webpack',
    file: /^webpack\.config\.[cm]?[jt]s$/,
    install: UNPLUGIN,
    snippet:
      "// webpack.config.js\nconst symup = require('@symup/unplugin/webpack')\n\nmodule.exports = { output: { publicPath: '/' }, plugins: [symup({ version: '1.2.3' })] }",
  },
  {
    name: 'Rolldown',
    file: /^rolldown\.config\.[cm]?[jt]s$/,
    install: UNPLUGIN,
    snippet: inPlugins(
      'rolldown',
      'rolldown.config.mjs',
      "export default { plugins: [symup({ version: '1.2.3', minifiedPathPrefix: '/' })] }",
    ),
  },
  {
    name: 'Rollup',
    file: /^rollup\.config\.[cm]?[jt]s$/,
    install: UNPLUGIN,
    snippet: inPlugins(
      'rollup',
      'rollup.config.mjs',
      "export default { plugins: [symup({ version: '1.2.3', minifiedPathPrefix: '/' })] }",
    ),
  },
  {
    name: 'esbuild',
    dependency: /^esbuild$/,
    install: UNPLUGIN,
    snippet: inPlugins(
      'esbuild',
      'build.mjs',
      "await build({ publicPath: '/', plugins: [symup({ version: '1.2.3' })] })",
    ),
  },
  {
    name: 'React Native',
    dependency: /^react-native$/,
    install: COMMAND,
    snippet: '# after the release bundle\nnpx symup react-native upload --help',
  },
]

const NONE: BuildTool = {
  name: 'no build tool that symup has a plugin for',
  install: COMMAND,
  snippet:
    '# after the build\nnpx symup web upload dist --release-version 1.2.3 --minified-path-prefix https://cdn.example.com',
}

/** Which tool builds the project: by its files, then by its npm dependencies. */
export function detectBuildTool(files: readonly string[], dependencies: ReadonlySet<string>): BuildTool {
  for (const { file, dependency, ...tool } of DETECTORS) {
    const evidence = files.find((name) => file?.test(name)) ?? [...dependencies].find((name) => dependency?.test(name))
    if (evidence !== undefined) return { ...tool, evidence }
  }
  return NONE
}
