// `expo prebuild` runs this plugin, which adds an upload after each build to the generated Gradle and Xcode projects.
const { createRunOncePlugin, withAppBuildGradle, withXcodeProject } = require('expo/config-plugins')
const { name, version } = require('./package.json')

const FOUND_BY_NODE = `["node", "--print", "require.resolve('${name}/package.json')"].execute(null, rootDir).text.trim()`
const GRADLE = `\napply from: new File(new File(${FOUND_BY_NODE}).parentFile, "symup.gradle")\n`

const PHASE = 'Bundle React Native code and images'
/** react-native-xcode.sh writes a source map only if this variable is set. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: this is shell syntax.
const BEFORE = 'export SOURCEMAP_FILE="${SOURCEMAP_FILE:-$DERIVED_FILE_DIR/main.jsbundle.map}"\n'
const AFTER = `\n/bin/sh "$("\${NODE_BINARY:-node}" --print "require('path').dirname(require.resolve('${name}/package.json'))")/symup-xcode.sh"\n`

function withSymup(config) {
  return withXcodeProject(
    withAppBuildGradle(config, (gradle) => {
      const { modResults } = gradle
      if (modResults.language !== 'groovy')
        throw new Error(`${name}: app/build.gradle is not Groovy. Apply symup.gradle as the README says.`)
      if (!modResults.contents.includes('symup.gradle'))
        modResults.contents = `${modResults.contents.trimEnd()}\n${GRADLE}`
      return gradle
    }),
    (xcode) => {
      const phase = xcode.modResults.pbxItemByComment(PHASE, 'PBXShellScriptBuildPhase')
      if (!phase)
        throw new Error(
          `${name}: the Xcode project has no build phase "${PHASE}". Add symup-xcode.sh as the README says.`,
        )
      const script = JSON.parse(phase.shellScript)
      if (!script.includes('symup-xcode.sh'))
        phase.shellScript = JSON.stringify(`${BEFORE}${script.trimEnd()}\n${AFTER}`)
      return xcode
    },
  )
}

module.exports = createRunOncePlugin(withSymup, name, version)
