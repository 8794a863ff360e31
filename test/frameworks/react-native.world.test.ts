import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { androidTools, prepareStandIn } from '../support/android-build.ts'
import { ROOT } from '../support/build-fixture.ts'
import { buildPackages } from '../support/build-package.ts'
import { useIntake } from '../support/intake.ts'
import { describeExpo } from './describe-expo.ts'

const OURS = join(ROOT, 'packages/react-native')
const FIXTURE = join(ROOT, 'fixtures/symbols/react-native')
const README = readFileSync(join(OURS, 'README.md'), 'utf8')
const android = androidTools()
const intake = useIntake()
beforeAll(buildPackages, 300_000)

describeExpo()

describe.skipIf(!android.isThere)(`a React Native build with Gradle${android.reason}`, () => {
  it("uploads the release bundle with its composed map for the variant's own version, using the line from the README", async () => {
    const standIn = prepareStandIn()
    try {
      const module = join(standIn.directory, 'modern')
      const [line = ''] = /^apply from: .*symup\.gradle'$/m.exec(README) ?? []
      const task = 'createBundleFreeReleaseJsAndAssets'
      for (const [from, to] of [
        ['index.android.bundle', 'assets'],
        ['index.android.bundle.map', 'sourcemaps'],
      ] as const)
        cpSync(join(FIXTURE, 'android', from), join(module, 'build', to, from))
      // These properties belong to React Native's own Gradle task.
      writeFileSync(
        join(module, 'build.gradle'),
        `apply plugin: 'com.android.application'
class BundleTask extends DefaultTask {
  @Internal Object root, nodeExecutableAndArgs, bundleAssetName, jsBundleDir, jsSourceMapsDir
}
def directory = { path -> def it = project.layout.directoryProperty(); it.set(file(path)); it }
task('${task}', type: BundleTask) {
  root = directory('..')
  nodeExecutableAndArgs = project.provider { ['${process.execPath}'] }
  bundleAssetName = project.provider { 'index.android.bundle' }
  jsBundleDir = directory('build/assets')
  jsSourceMapsDir = directory('build/sourcemaps')
}
${line.replace('../../node_modules/@symup/react-native', OURS)}
`,
      )
      const env = { SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: intake.url, CI: '1' }
      const { output, exitCode } = await standIn.gradle([`:modern:${task}`], env)
      expect([exitCode, output]).toEqual([0, expect.stringContaining('Uploaded 1 artifact')])
      const [upload] = await intake.uploads()
      expect(upload).toMatchObject({ service: 'com.example.modern', version: '1.0' })
      expect(upload?.event).toMatchObject({ platform: 'android', build_version: '7' })
      const refused = await standIn.gradle([`:modern:${task}`], { ...env, SYMUP_API_KEY: 'not-a-key' })
      expect([refused.exitCode, refused.output]).toEqual([1, expect.stringContaining('unauthorized')])
    } finally {
      standIn.remove()
    }
  }, 120_000)
})
