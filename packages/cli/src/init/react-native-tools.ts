import { t } from '@symup/core/text'
import { withWrapper } from './edit-config.ts'
import { valueAt, withValue } from './edit-json.ts'
import type { Project } from './project.ts'
import { withLastLine } from './splice.ts'
import { configFile, dependency, type Edit, edited, type Tool } from './tool.ts'

const PACKAGE = '@symup/react-native'
const PHASE = 'Bundle React Native code and images'
const REQUIRE = `const withSymup = require('${PACKAGE}')`

/**
 * Instructions for Xcode. Xcode project files cannot be edited safely, so the user has to change the build phase that creates the bundle.
 */
const inXcode = () =>
  t`In Xcode, add these lines at the start and end of the build phase "${PHASE}":` +
  `\n\nexport SOURCEMAP_FILE="\${SOURCEMAP_FILE:-$DERIVED_FILE_DIR/main.jsbundle.map}"\n/bin/sh ../node_modules/${PACKAGE}/symup-xcode.sh`

/** HarmonyOS has no hook that runs after bundling, so the user has to add the upload to a script. */
const onHarmony = () =>
  [
    t`For HarmonyOS, add this line to the script that creates the bundle:`,
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
    const hasAndroid = project.read(path) !== undefined
    const isForHarmony = dependency(project, '@react-native-oh/react-native-harmony') !== undefined
    const isForXcode = !isForHarmony || project.read('ios/Podfile') !== undefined
    const inGradle = edited(project, hasAndroid || !isForHarmony ? [withGradleLine(path, line)] : [])
    const byHand = [inGradle.byHand ?? [], isForXcode ? inXcode() : [], isForHarmony ? onHarmony() : []].flat()
    return {
      packages: [isForHarmony && !hasAndroid && !isForXcode ? 'symup' : PACKAGE],
      knowsRelease: true,
      changes: inGradle.changes,
      byHand: byHand.join('\n\n'),
    }
  },
}

export function withGradleLine(path: string, line: string): Edit {
  const change = (before: string) => (before.includes('symup.gradle') ? before : withLastLine(before, line))
  return { path, change, byHand: t`Add this code to ${path}:\n\n${line}` }
}

export const EXPO: Tool = {
  id: 'expo',
  name: 'Expo',
  evidence: (project) => (hasOwnNativeProjects(project) ? undefined : dependency(project, 'expo')),
  setUp(project) {
    return { packages: [PACKAGE], ...edited(project, [inAppConfig, inMetroConfig(project)]) }
  },
}

/**
 * Returns whether the native projects are committed. Expo does not regenerate committed projects, so config plugins would have no effect.
 */
function hasOwnNativeProjects({ read }: Project): boolean {
  return read('android/app/build.gradle') !== undefined && !/^\/?android\/?\s*$/m.test(read('.gitignore') ?? '')
}

const inAppConfig: Edit = {
  path: 'app.json',
  change(before) {
    const plugins = valueAt(before, ['expo', 'plugins']) ?? []
    if (JSON.stringify(plugins).includes(PACKAGE)) return before
    return Array.isArray(plugins) ? withValue(before, ['expo', 'plugins'], [...plugins, PACKAGE]) : undefined
  },
  get byHand() {
    return t`Add plugins: ['${PACKAGE}'] to the app config.`
  },
}

function inMetroConfig(project: Project): Edit {
  const path = configFile(project, 'metro') ?? 'metro.config.js'
  const config = "const { getDefaultConfig } = require('expo/metro-config')"
  return {
    path,
    change: (before) => withWrapper(before, PACKAGE),
    made: `${config}\n${REQUIRE}\n\nmodule.exports = withSymup(getDefaultConfig(__dirname))\n`,
    byHand: t`In ${path}, import withSymup and wrap the export in withSymup(…):\n\n${REQUIRE}`,
  }
}
