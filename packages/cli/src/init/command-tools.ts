import { fileNameOf } from '@symup/core/resolving'
import { phrase, t, translated } from '@symup/core/text'
import { uploading, uploadingGuessed } from './after-build.ts'
import { literalIn, withPlugin } from './edit-config.ts'
import { valueAt, withValue } from './edit-json.ts'
import { nest } from './nest.ts'
import { isRun } from './plugin-tool.ts'
import type { Project } from './project.ts'
import { EXPO, REACT_NATIVE, withGradleLine } from './react-native-tools.ts'
import { changeOf, dependency, type Edit, edited, fileLike, type Tool } from './tool.ts'

const CREATE_REACT_APP: Tool = {
  id: 'create-react-app',
  name: 'Create React App',
  evidence: (project) => dependency(project, 'react-scripts'),
  setUp: (project) => uploading(project, 'build', { minifiedPathPrefix: placeOfHomepage(project) }),
}

/** In Create React App, the deployment address is the `homepage` in package.json. */
function placeOfHomepage({ read }: Project): string {
  const homepage = valueAt(read('package.json'), ['homepage'])
  return typeof homepage === 'string' && /^(?:\/|https?:)/.test(homepage) ? homepage : '/'
}

/** Gatsby generates source maps by default and writes them to `public`. */
const GATSBY: Tool = {
  id: 'gatsby',
  name: 'Gatsby',
  evidence: (project) => (isRun(project, 'gatsby') ? dependency(project, 'gatsby') : undefined),
  setUp: (project) => uploading(project, 'public', { minifiedPathPrefix: placeOfGatsby(project) }),
}

/** Unless the site is built with `gatsby build --prefix-paths`, Gatsby ignores the path prefix and builds the site for `/`. */
function placeOfGatsby(project: Project): string {
  const config = project.read(fileLike(project, /^gatsby-config\.[cm]?[jt]s$/) ?? '') ?? ''
  const isPrefixed = /--prefix-paths|PREFIX_PATHS=true/.test(Object.values(project.manifest.scripts ?? {}).join('\n'))
  const place = ['assetPrefix', 'pathPrefix'].map((name) => literalIn(config, [name]) ?? '').join('')
  return isPrefixed && place !== '' ? place : '/'
}

const ANGULARS_BUILDER = '@angular/build:application'
const OUR_BUILDER = '@symup/angular:application'

function applicationBuilds(text: string): { name: string; build: string[]; builder: string }[] {
  const projects = valueAt(text, ['projects']) as Record<string, { projectType?: string }> | undefined
  return Object.entries(projects ?? {})
    .filter(([, it]) => it?.projectType !== 'library')
    .map(([name, it]) => {
      const build = ['projects', name, 'targets' in it ? 'targets' : 'architect', 'build']
      return { name, build, builder: String(valueAt(text, [...build, 'builder'])) }
    })
}

const ANGULAR: Tool = {
  id: 'angular',
  name: 'Angular',
  // Analog projects also contain `angular.json`, but Analog builds with Vite.
  evidence: (project) =>
    dependency(project, '@analogjs/platform') === undefined ? fileLike(project, /^angular\.json$/) : undefined,
  setUp(project) {
    const before = project.read('angular.json') ?? ''
    const applications = applicationBuilds(before)
    const changes = (after: string) => changeOf('angular.json', before, after)
    // Make the same change as `ng add @symup/angular`.
    const known = applications.filter(({ builder }) => builder === ANGULARS_BUILDER || builder === OUR_BUILDER)
    if (known.length > 0) {
      const set = (text: string, { build }: { build: string[] }) =>
        withValue(text, [...build, 'builder'], OUR_BUILDER) ?? text
      return { packages: ['@symup/angular'], changes: changes(known.reduce(set, before)) }
    }
    const [{ name, build, builder } = { name: '', build: [], builder: '' }] = applications
    const own = valueAt(before, [...build, 'options', 'outputPath'])
    const base = typeof own === 'string' ? own : ((own as { base?: string } | undefined)?.base ?? `dist/${name}`)
    const browser = (own as { browser?: string } | undefined)?.browser ?? 'browser'
    // The builders `browser` and `browser-esbuild` write to the output directory itself, but `application` writes to a subdirectory.
    const directory = builder.endsWith(':application') && browser !== '' ? `${base}/${browser}` : base
    const place = [...build, 'configurations', 'production', 'sourceMap']
    const maps = { scripts: true, styles: false, vendor: false, hidden: true }
    // Old Angular templates set `false`, so the value may not be the user's choice.
    const current = valueAt(before, place)
    const after = current === undefined || current === false ? withValue(before, place, maps) : before
    return uploading(project, directory, { changes: changes(after ?? before), minifiedPathPrefix: '/' })
  },
}

/**
 * Nitro without a framework generates source maps by default and writes the server to `.output/server`, regardless of the deployment
 * address.
 */
const NITRO: Tool = {
  id: 'nitro',
  name: 'Nitro',
  evidence: (project) =>
    ['nitro', 'nitropack'].some((command) => isRun(project, [command, 'build'].join(' ')))
      ? dependency(project, 'nitro', 'nitropack')
      : undefined,
  setUp: (project) => uploading(project, '.output/server', { minifiedPathPrefix: 'app:///server' }),
}

/**
 * Stencil plugins cannot access the build output, so a separate command uploads the maps. The source maps of some of Stencil's own files
 * are incorrect.
 */
const STENCIL: Tool = {
  id: 'stencil',
  name: 'Stencil',
  evidence: (project) => (isRun(project, 'stencil') ? dependency(project, '@stencil/core') : undefined),
  setUp(project) {
    const path = fileLike(project, /^stencil\.config\.[jt]s$/) ?? 'stencil.config.ts'
    const before = project.read(path) ?? ''
    const directory = /\btype:\s*['"]www['"]/.test(before) ? 'www' : 'dist'
    const after = withPlugin(before, { from: 'sourceMap:', at: ['sourceMap'], call: 'true', made: 'sourceMap: true' })
    return uploading(project, directory, { changes: changeOf(path, before, after), minifiedPathPrefix: '/' })
  },
}

/** Returns the build script of the `app` module. If there is no `app` module, returns all build scripts with an application id. */
function appScripts(project: Project): string[] {
  const { read } = project
  const scripts = (module: string) =>
    ['build.gradle', 'build.gradle.kts'].map((name) => `${module}${name}`).filter((path) => read(path) !== undefined)
  const isAndroid = (path: string) =>
    /com\.android\.application|com\.android\.library|\bandroid\s*\{/.test(read(path) ?? '')
  const usual = [...scripts('app/'), ...scripts('')].filter(isAndroid)
  if (usual.length > 0) return usual.slice(0, 1)
  const settings = fileLike(project, /^settings\.gradle(?:\.kts)?$/)
  const modules = (read(settings ?? '') ?? '').match(/(?<=["'])(?::[\w.-]+)+(?=["'])/g) ?? []
  return modules
    .flatMap((module) => scripts(`${module.slice(1).replaceAll(':', '/')}/`))
    .filter((path) => /\bapplicationId\b/.test(read(path) ?? ''))
}

const ANDROID: Tool = {
  id: 'android',
  name: 'Android (Gradle)',
  evidence: (project) => fileLike(project, /^(?:build|settings)\.gradle(?:\.kts)?$/),
  setUp(project) {
    const packages = ['@symup/android']
    const notes = ['./gradlew assembleRelease uploadMappingRelease']
    const lineFor = (path: string) => {
      const script = `${'../'.repeat(path.split('/').length - 1)}node_modules/@symup/android/symup.gradle`
      return path.endsWith('.kts') ? `apply(from = "${script}")` : `apply from: '${script}'`
    }
    const paths = appScripts(project)
    if (paths.length === 0)
      return {
        packages,
        changes: [],
        knowsRelease: true,
        byHand: t`Add this line to app/build.gradle, after the Android plugin:\n\n${lineFor('app/build.gradle')}`,
      }
    const edits = paths.map((path) => withGradleLine(path, lineFor(path)))
    return { packages, ...edited(project, edits), knowsRelease: true, notes }
  },
}

const HARMONY: Tool = {
  id: 'hvigor',
  name: 'HarmonyOS (hvigor)',
  evidence: (project) => fileLike(project, /^hvigorfile\.[jt]s$/),
  setUp(project) {
    const from = '@symup/hvigor'
    const path = fileLike(project, /^hvigorfile\.[jt]s$/) ?? 'hvigorfile.ts'
    const config = 'hvigor/hvigor-config.json5'
    const script: Edit = {
      path,
      change: (before) => withPlugin(before, { from, named: true, call: 'symup({})' }),
      byHand: t`In ${path}, add import { symup } from '@symup/hvigor' and plugins: [symup({})].`,
    }
    const declaration: Edit = {
      path: config,
      change: (before) => (before.includes(from) ? before : withValue(before, ['dependencies', from], '*')),
      byHand: t`In ${config}, add "@symup/hvigor": "*" to the dependencies.`,
    }
    return {
      packages: [],
      knowsRelease: true,
      ...edited(project, [script, declaration]),
      notes: [
        t`ohpm installs the plugin during the next build. To build, run: hvigorw assembleApp -p buildMode=release`,
      ],
    }
  },
}

const MINI_PROGRAM: Tool = {
  id: 'mini-program',
  name: phrase`a mini program`,
  evidence: (project) => fileLike(project, /^project\.config\.json$/),
  setUp: () => ({
    packages: ['symup'],
    changes: [],
    byHand: t`Export the source maps in the developer tools or with miniprogram-ci, and then run:\n\nnpx symup mini-program upload sourcemap.zip`,
  }),
}

const byCommand = (id: string, name: string, evidence: Tool['evidence'], command: string): Tool => ({
  id,
  name,
  evidence,
  setUp: () => ({ packages: ['symup'], changes: [], byHand: translated(command) }),
})

const XCODE = byCommand(
  'xcode',
  'Xcode',
  (project) => fileLike(project, /\.(?:xcodeproj|xcworkspace)$/),
  phrase`After you archive the app, run:\n\nnpx symup ios upload <path to the .xcarchive>`,
)
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

/** Mpx bundles with webpack, but its output has no deployment address, because the host bundles it again. */
const MPX = byCommand(
  'mpx',
  'mpx',
  (project) => dependency(project, '@mpxjs/webpack-plugin'),
  phrase`Build with devtool: 'source-map' in webpack, and then run:\n\nnpx symup mini-program upload dist/wx`,
)

const WRANGLER_CONFIG = /^wrangler\.(?:jsonc?|toml)$/

function workerScript(project: Project): string | undefined {
  const config = project.read(fileLike(project, WRANGLER_CONFIG) ?? '') ?? ''
  const run = Object.values(project.manifest.scripts ?? {}).join('\n')
  return (
    /^\s*(?:\{.*?)?"?\bmain"?\s*[:=]\s*["']([^"']+)["']/m.exec(config)?.[1] ??
    /\bwrangler (?:deploy|publish) [^\n&|;]*?([\w./-]+\.[cm]?[jt]sx?)\b/.exec(run)?.[1]
  )
}

/** Handles Workers that no other tool bundles. By default, `wrangler deploy` bundles the Worker again. */
const WRANGLER: Tool = {
  id: 'wrangler',
  name: 'Cloudflare Workers (wrangler)',
  evidence: (project) => (workerScript(project) === undefined ? undefined : fileLike(project, WRANGLER_CONFIG)),
  setUp(project) {
    const script = `dist/${fileNameOf(workerScript(project) ?? 'index').replace(/\.\w+$/, '')}.js`
    const commands = [
      'npx wrangler deploy --dry-run --outdir dist --minify --upload-source-maps',
      'npx symup web upload dist --delete-after-upload',
      `npx wrangler deploy ${script} --no-bundle`,
    ].join('\n')
    return {
      packages: ['symup'],
      changes: [],
      minifiedPathPrefix: 'app:///',
      byHand: t`Build without deploying, upload the output, and deploy exactly that output:\n\n${commands}`,
    }
  },
}

/** Tools whose output is uploaded by a separate command after the build. */
export const FRAMEWORKS: readonly Tool[] = [MPX, ANGULAR, CREATE_REACT_APP, GATSBY, nest, NITRO, STENCIL]
export const PLATFORMS: readonly Tool[] = [EXPO, REACT_NATIVE, HARMONY, FLUTTER, ANDROID, XCODE, MINI_PROGRAM]
export const LAST: readonly Tool[] = [ELECTRON, WRANGLER]

/** The fallback for unknown tools: an upload command with a guessed output directory and prefix. */
export const OTHER: Tool = {
  id: 'other',
  name: phrase`no build tool with a symup plugin`,
  evidence: () => '',
  setUp: (project) => uploadingGuessed(project),
}
