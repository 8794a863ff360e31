import { t } from '@symup/core/internal'
import { withWrapper } from './edit-config.ts'
import { valueAt, withValue } from './edit-json.ts'
import type { Project } from './project.ts'
import { withLastLine } from './splice.ts'
import { type Change, configFile, dependency, type Tool } from './tool.ts'

const PACKAGE = '@symup/react-native'
const PHASE = 'Bundle React Native code and images'
const REQUIRE = `const withSymup = require('${PACKAGE}')`

/** The build phase of Xcode that bundles: its project file is not one to edit with a program. */
const inXcode = () =>
  t`In Xcode, the first and the last line of the build phase "${PHASE}":` +
  `\n\nexport SOURCEMAP_FILE="\${SOURCEMAP_FILE:-$DERIVED_FILE_DIR/main.jsbundle.map}"\n/bin/sh ../node_modules/${PACKAGE}/symup-xcode.sh`

/** What makes the bundle of HarmonyOS calls nothing afterwards. */
const onHarmony = () =>
  [
    t`For HarmonyOS, in the script that makes the bundle:`,
    '',
    'npx react-native bundle-harmony --dev false --sourcemap-output bundle.harmony.js.map',
    'npx symup react-native upload harmony/entry/src/main/resources/rawfile/bundle.harmony.js --sourcemap bundle.harmony.js.map --build-version <versionCode>',
  ].join('\n')

export const REACT_NATIVE: Tool = {
  id: 'react-native',
  name: 'React Native',
  evidence: (project) => dependency(project, 'react-native'),
  setUp(project) {
    const path = 'android/app/build.gradle'
    const line = `apply from: '../../node_modules/${PACKAGE}/symup.gradle'`
    const before = project.read(path)
    const inGradle = t`Add to ${path}:\n\n${line}`
    const isThere = before?.includes('symup.gradle') ?? false
    const isForHarmony = dependency(project, '@react-native-oh/react-native-harmony') !== undefined
    const isForXcode = !isForHarmony || project.read('ios/Podfile') !== undefined
    const byHand = [
      ...(before === undefined && !isForHarmony ? [inGradle] : []),
      ...(isForXcode ? [inXcode()] : []),
      ...(isForHarmony ? [onHarmony()] : []),
    ]
    const isOnlyForHarmony = isForHarmony && before === undefined && !isForXcode
    return {
      packages: [isOnlyForHarmony ? 'symup' : PACKAGE],
      knowsRelease: true,
      changes: before === undefined || isThere ? [] : [{ path, before, after: withLastLine(before, line) }],
      byHand: byHand.join('\n\n'),
    }
  },
}

export const EXPO: Tool = {
  id: 'expo',
  name: 'Expo',
  evidence: (project) => (hasOwnNativeProjects(project) ? undefined : dependency(project, 'expo')),
  setUp(project) {
    const config = inAppConfig(project)
    const metro = inMetroConfig(project)
    const byHand = [config, metro].filter((it) => typeof it === 'string')
    return {
      packages: [PACKAGE],
      changes: [config, metro].filter((it): it is Change => typeof it === 'object'),
      ...(byHand.length > 0 && { byHand: byHand.join('\n\n') }),
    }
  },
}

/** `expo prebuild`, which calls config plugins, makes them anew where they are ignored; where they are kept in git it is not run. */
function hasOwnNativeProjects({ read }: Project): boolean {
  return read('android/app/build.gradle') !== undefined && !/^\/?android\/?\s*$/m.test(read('.gitignore') ?? '')
}

/** The change, or what to do by hand; undefined where nothing is left to do. */
function inAppConfig(project: Project): Change | string | undefined {
  const before = project.read('app.json')
  const plugins = valueAt(before, ['expo', 'plugins']) ?? []
  if (JSON.stringify(plugins).includes(PACKAGE)) return undefined
  const after =
    before !== undefined && Array.isArray(plugins)
      ? withValue(before, ['expo', 'plugins'], [...plugins, PACKAGE])
      : undefined
  if (before === undefined || after === undefined) return t`In the app config: plugins: ['${PACKAGE}']`
  return { path: 'app.json', before, after }
}

function inMetroConfig(project: Project): Change | string | undefined {
  const path = configFile(project, 'metro') ?? 'metro.config.js'
  const before = project.read(path)
  if (before === undefined) {
    const config = "const { getDefaultConfig } = require('expo/metro-config')"
    return { path, after: `${config}\n${REQUIRE}\n\nmodule.exports = withSymup(getDefaultConfig(__dirname))\n` }
  }
  const after = withWrapper(before, PACKAGE)
  if (after === undefined) return t`In ${path}, around what it exports: withSymup(…), after\n\n${REQUIRE}`
  return after === before ? undefined : { path, before, after }
}
