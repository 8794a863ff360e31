import { withPlugin, withWrapper } from './edit-config.ts'
import { valueAt, withValue } from './edit-json.ts'
import type { Project } from './project.ts'
import { type Change, configFile, dependency, fileLike, type Setup, type Tool } from './tool.ts'

/** A developer without a key can build; in CI a missing key is an error. */
const command = (directory: string) => `symup web upload ${directory} --delete-after-upload --skip-without-key`

/** Appends an upload to the script that builds; with `&&`, as not every package manager runs a `postbuild`. */
function afterBuild(project: Project, directory: string): Change[] {
  const text = project.read('package.json') ?? ''
  const build = project.manifest.scripts?.build
  if (build === undefined || build.includes('symup ')) return []
  const after = withValue(text, ['scripts', 'build'], `${build} && ${command(directory)}`)
  return after === undefined ? [] : [{ path: 'package.json', before: text, after }]
}

function uploading(project: Project, directory: string, setup: Partial<Setup> = {}): Setup {
  const { changes = [], ...rest } = setup
  const script = afterBuild(project, directory)
  const byHand = `Run after the build:\n\nnpx ${command(directory)}`
  const isThere = project.manifest.scripts?.build?.includes('symup ')
  return {
    packages: ['symup'],
    ...(script.length === 0 && !isThere && { byHand }),
    ...rest,
    changes: [...changes, ...script],
  }
}

const CREATE_REACT_APP: Tool = {
  id: 'create-react-app',
  name: 'Create React App',
  evidence: (project) => dependency(project, 'react-scripts'),
  setUp: (project) => uploading(project, 'build', { minifiedPathPrefix: placeOfHomepage(project) }),
}

/** `homepage` in package.json is where Create React App deploys to. */
function placeOfHomepage({ read }: Project): string {
  const homepage = valueAt(read('package.json'), ['homepage'])
  return typeof homepage === 'string' && /^(?:\/|https?:)/.test(homepage) ? homepage : '/'
}

const ANGULAR: Tool = {
  id: 'angular',
  name: 'Angular',
  evidence: (project) => fileLike(project, /^angular\.json$/),
  setUp(project) {
    const before = project.read('angular.json') ?? ''
    const projects = valueAt(before, ['projects']) as Record<string, { projectType?: string }> | undefined
    const name = Object.entries(projects ?? {}).find(([, it]) => it?.projectType !== 'library')?.[0] ?? ''
    const build = ['projects', name, 'architect', 'build']
    const own = valueAt(before, [...build, 'options', 'outputPath'])
    const base = typeof own === 'string' ? own : ((own as { base?: string } | undefined)?.base ?? `dist/${name}`)
    const browser = (own as { browser?: string } | undefined)?.browser ?? 'browser'
    // `browser` and `browser-esbuild` write to the directory itself, `application` below it.
    const isApplication = /:application$/.test(String(valueAt(before, [...build, 'builder'])))
    const directory = isApplication && browser !== '' ? `${base}/${browser}` : base
    const place = [...build, 'configurations', 'production', 'sourceMap']
    const maps = { scripts: true, styles: false, vendor: false, hidden: true }
    const after = valueAt(before, place) === undefined ? withValue(before, place, maps) : before
    const changes = after === undefined || after === before ? [] : [{ path: 'angular.json', before, after }]
    return uploading(project, directory, { changes, minifiedPathPrefix: '/' })
  },
}

const ANDROID: Tool = {
  id: 'android',
  name: 'Android (Gradle)',
  evidence: (project) => fileLike(project, /^(?:build|settings)\.gradle(?:\.kts)?$/),
  setUp(project) {
    const packages = ['@symup/android']
    const path = ['app/build.gradle', 'app/build.gradle.kts', 'build.gradle', 'build.gradle.kts'].find((file) =>
      /com\.android\.application|com\.android\.library|\bandroid\s*\{/.test(project.read(file) ?? ''),
    )
    const up = path?.startsWith('app/') ? '../' : ''
    const script = `${up}node_modules/@symup/android/symup.gradle`
    const line = path?.endsWith('.kts') ? `apply(from = "${script}")` : `apply from: '${script}'`
    const notes = ['./gradlew assembleRelease uploadMappingRelease']
    if (path === undefined)
      return {
        packages,
        changes: [],
        knowsRelease: true,
        byHand: `Add to app/build.gradle, after the Android plugin:\n\n${line}`,
      }
    const before = project.read(path) ?? ''
    const isThere = before.includes('symup.gradle')
    const changes = isThere ? [] : [{ path, before, after: `${before.trimEnd()}\n\n${line}\n` }]
    return { packages, changes, knowsRelease: true, notes }
  },
}

const HARMONY: Tool = {
  id: 'hvigor',
  name: 'HarmonyOS (hvigor)',
  evidence: (project) => fileLike(project, /^hvigorfile\.[jt]s$/),
  setUp(project) {
    const path = fileLike(project, /^hvigorfile\.[jt]s$/) ?? 'hvigorfile.ts'
    const before = project.read(path) ?? ''
    const after = withPlugin(before, { from: '@symup/hvigor', named: true, call: 'symup({})' })
    const config = 'hvigor/hvigor-config.json5'
    const declared = project.read(config)
    const path5 = ['dependencies', '@symup/hvigor']
    const isDeclared = declared?.includes('@symup/hvigor') === true
    const changed = declared === undefined || isDeclared ? declared : withValue(declared, path5, '*')
    const byHand = [
      ...(after === undefined ? [`In ${path}: import { symup } from '@symup/hvigor', and plugins: [symup({})]`] : []),
      ...(changed === undefined ? [`In ${config}, under dependencies: "@symup/hvigor": "*"`] : []),
    ].join('\n')
    return {
      packages: [],
      knowsRelease: true,
      changes: [
        ...(after !== undefined && after !== before ? [{ path, before, after }] : []),
        ...(declared !== undefined && changed !== undefined && changed !== declared
          ? [{ path: config, before: declared, after: changed }]
          : []),
      ],
      ...(byHand !== '' && { byHand }),
      notes: ['ohpm installs the plugin at the next build: hvigorw assembleApp -p buildMode=release'],
    }
  },
}

const MINI_PROGRAM: Tool = {
  id: 'mini-program',
  name: 'a mini program',
  evidence: (project) => fileLike(project, /^project\.config\.json$/),
  setUp: () => ({
    packages: ['symup'],
    changes: [],
    byHand:
      'Export the source maps in the developer tools, or with miniprogram-ci, then:\n\nnpx symup mini-program upload sourcemap.zip',
  }),
}

const byCommand = (id: string, name: string, evidence: Tool['evidence'], command: string): Tool => ({
  id,
  name,
  evidence,
  setUp: () => ({ packages: ['symup'], changes: [], byHand: command }),
})

const XCODE = byCommand(
  'xcode',
  'Xcode',
  (project) => fileLike(project, /\.(?:xcodeproj|xcworkspace)$/),
  'After archiving:\n\nnpx symup ios upload <path of the .xcarchive>',
)
const REACT_NATIVE_PACKAGE = '@symup/react-native'
const XCODE_LINES = `In Xcode, in the build phase "Bundle React Native code and images", as its first line and as its last:

export SOURCEMAP_FILE="\${SOURCEMAP_FILE:-$DERIVED_FILE_DIR/main.jsbundle.map}"
/bin/sh ../node_modules/${REACT_NATIVE_PACKAGE}/symup-xcode.sh`

const REACT_NATIVE: Tool = {
  id: 'react-native',
  name: 'React Native',
  evidence: (project) => dependency(project, 'react-native'),
  setUp(project) {
    const path = 'android/app/build.gradle'
    const line = `apply from: '../../node_modules/${REACT_NATIVE_PACKAGE}/symup.gradle'`
    const before = project.read(path)
    const isThere = before?.includes('symup.gradle') ?? false
    return {
      packages: [REACT_NATIVE_PACKAGE],
      knowsRelease: true,
      changes: before === undefined || isThere ? [] : [{ path, before, after: `${before.trimEnd()}\n\n${line}\n` }],
      byHand: before === undefined ? `Add to ${path}:\n\n${line}\n\n${XCODE_LINES}` : XCODE_LINES,
    }
  },
}

const EXPO: Tool = {
  id: 'expo',
  name: 'Expo',
  evidence: (project) => dependency(project, 'expo'),
  setUp(project) {
    const changes: Change[] = []
    const byHand: string[] = []
    const app = project.read('app.json')
    const plugins = valueAt(app, ['expo', 'plugins']) ?? []
    const isThere = JSON.stringify(plugins).includes(REACT_NATIVE_PACKAGE)
    const withPlugins =
      app !== undefined && Array.isArray(plugins)
        ? withValue(app, ['expo', 'plugins'], [...plugins, REACT_NATIVE_PACKAGE])
        : undefined
    if (isThere) {
      // Nothing to do.
    } else if (app !== undefined && withPlugins !== undefined)
      changes.push({ path: 'app.json', before: app, after: withPlugins })
    else byHand.push(`In the app config: plugins: ['${REACT_NATIVE_PACKAGE}']`)
    const path = configFile(project, 'metro') ?? 'metro.config.js'
    const before = project.read(path)
    const wrapper = `const withSymup = require('${REACT_NATIVE_PACKAGE}')`
    const whole = `const { getDefaultConfig } = require('expo/metro-config')\n${wrapper}\n\nmodule.exports = withSymup(getDefaultConfig(__dirname))\n`
    const after = before === undefined ? whole : withWrapper(before, REACT_NATIVE_PACKAGE, 'withSymup')
    if (after === undefined) byHand.push(`In ${path}, around what it exports: withSymup(…), after\n\n${wrapper}`)
    else if (after !== before) changes.push({ path, ...(before !== undefined && { before }), after })
    return {
      packages: [REACT_NATIVE_PACKAGE],
      knowsRelease: false,
      changes,
      ...(byHand.length > 0 && { byHand: byHand.join('\n\n') }),
    }
  },
}

const FLUTTER = byCommand(
  'flutter',
  'Flutter',
  (project) => fileLike(project, /^pubspec\.yaml$/),
  'flutter build apk --obfuscate --split-debug-info=symbols\nnpx symup flutter upload symbols',
)
const ELECTRON = byCommand(
  'electron',
  'Electron',
  (project) => dependency(project, 'electron'),
  'npx symup electron upload <directory of the Breakpad symbols>',
)

/** Whose command uploads after the build. Frameworks first, then what has no JavaScript bundler. */
export const FRAMEWORKS: readonly Tool[] = [ANGULAR, CREATE_REACT_APP]
export const PLATFORMS: readonly Tool[] = [EXPO, REACT_NATIVE, HARMONY, FLUTTER, ANDROID, XCODE, MINI_PROGRAM]
export const LAST: readonly Tool[] = [ELECTRON]

/** No tool that is known: the command after whatever builds. */
export const OTHER: Tool = {
  id: 'other',
  name: 'no build tool that symup has a plugin for',
  evidence: () => '',
  setUp: (project) => uploading(project, 'dist', { minifiedPathPrefix: '/' }),
}
