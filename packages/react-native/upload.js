// Uploads the bundle of a native build and its source map. symup.gradle passes the paths as flags. Xcode passes them in the environment.
const { readFileSync } = require('node:fs')
const { join, resolve } = require('node:path')
const { parseArgs } = require('node:util')
const { collectReactNative, deliver, policyOf, presentLines } = require('@symup/core')
const { version: toolVersion } = require('./package.json')

const FLAGS = ['project', 'bundle', 'sourcemap', 'build-version', 'version-name', 'application-id']

function fromGradle(values) {
  return {
    platform: 'android',
    root: values.project,
    bundle: values.bundle,
    sourceMap: values.sourcemap,
    buildVersion: values['build-version'],
    versionName: { value: values['version-name'], from: 'versionName of the build' },
    application: { value: values['application-id'], from: 'applicationId of the build' },
  }
}

/** @returns undefined if react-native-xcode.sh built no release bundle. */
function fromXcode(env) {
  const { CONFIGURATION = '', SKIP_BUNDLING, BUNDLE_NAME = 'main', PROJECT_DIR = '.' } = env
  if (SKIP_BUNDLING || CONFIGURATION.includes('Debug')) return undefined
  const plist = readPlist(resolve(PROJECT_DIR, env.INFOPLIST_FILE ?? ''), env)
  return {
    platform: 'ios',
    root: resolve(PROJECT_DIR, env.PROJECT_ROOT ?? '..'),
    bundle: join(
      env.CONFIGURATION_BUILD_DIR ?? '',
      env.UNLOCALIZED_RESOURCES_FOLDER_PATH ?? '',
      `${BUNDLE_NAME}.jsbundle`,
    ),
    sourceMap: env.SOURCEMAP_FILE,
    buildVersion: plist('CFBundleVersion') ?? env.CURRENT_PROJECT_VERSION,
    versionName: {
      value: plist('CFBundleShortVersionString') ?? env.MARKETING_VERSION,
      from: 'CFBundleShortVersionString of the build',
    },
    application: { value: env.PRODUCT_BUNDLE_IDENTIFIER, from: 'PRODUCT_BUNDLE_IDENTIFIER of the build' },
  }
}

/** Reads an Info.plist, in which `$(NAME)` refers to a build setting. */
function readPlist(path, env) {
  let text = ''
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    // If the file does not exist, Xcode generates it from the build settings.
  }
  return (key) => {
    const value = new RegExp(`<key>${key}</key>\\s*<string>([^<]*)</string>`).exec(text)?.[1]
    const filled = value?.replace(/\$[({](\w+)[)}]/g, (_, name) => env[name] ?? '')
    return filled === '' ? undefined : filled
  }
}

async function run({ platform, root, bundle, sourceMap, buildVersion, versionName, application }) {
  const known = ({ value, from }) => (value ? { value, from } : undefined)
  const { exitCode } = await deliver(
    {
      adapter: { name: 'react-native', version: toolVersion },
      settings: {
        options: {},
        cwd: root,
        needsPrefix: false,
        inferredService: known(application),
        inferredVersion: known(versionName),
      },
      policy: policyOf(undefined),
      // Xcode shows lines with this prefix as build problems.
      present: presentLines(({ severity, text }) => {
        const mark = severity === 'error' || severity === 'warning' ? `${severity}: ` : ''
        console.log(mark + text.replaceAll('\n', `\n${mark}`))
      }),
    },
    ({ service, version, cwd }) =>
      collectReactNative({
        ...{ platform, bundle, sourceMap, service, version, toolVersion, cwd },
        buildVersion: buildVersion || '1',
      }),
  )
  return exitCode
}

const { values } = parseArgs({
  options: { xcode: { type: 'boolean' }, ...Object.fromEntries(FLAGS.map((name) => [name, { type: 'string' }])) },
})
const build = values.xcode ? fromXcode(process.env) : fromGradle(values)
if (build) {
  run(build).then((exitCode) => {
    process.exitCode = exitCode
  })
}
