import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useDirectory, writeIn } from '../../../test/support/directory.ts'
import { readModuleFacts } from './module-facts.ts'

const cwd = useDirectory('each')

const SCRIPT = "android { defaultConfig { versionName '1.0' }\n productFlavors { free {} } }"
const facts = async (variant?: string, gradle?: string) =>
  readModuleFacts({ cwd, ...(variant !== undefined && { variant }), ...(gradle !== undefined && { gradle }) })

it('reports a variant that is missing from the script, and lists the available variants', async () => {
  writeFileSync(join(cwd, 'build.gradle'), SCRIPT)
  const { problems, version } = await facts('paidRelease')
  expect(problems).toMatchObject([
    { code: 'variant-unknown', message: expect.stringContaining('Defined flavors: free.') },
  ])
  expect(version).toBeUndefined()
  expect((await facts('freeRelease')).problems).toEqual([])
})

it('reports a build script that is missing or unreadable', async () => {
  expect((await facts('release', '.')).problems).toMatchObject([{ code: 'gradle-unreadable', severity: 'error' }])
  writeFileSync(join(cwd, 'build.gradle'), `${SCRIPT}\n${' '.repeat(1024 * 1024)}`)
  expect((await facts('freeRelease')).problems).toMatchObject([
    { code: 'gradle-unreadable', severity: 'warning', message: expect.stringContaining('larger than 1 MiB') },
  ])
})

it.each([
  'configure<ApplicationExtension> { productFlavors { create("free") { } } }',
  'android.productFlavors { create("free") { } }',
  'extensions.configure<com.android.build.api.dsl.ApplicationExtension> { productFlavors { create("free") { } } }',
  'extensions.configure("android") { productFlavors { create("free") { } } }',
])('finds the module using %s, and asks for a flavor', async (block) => {
  mkdirSync(join(cwd, 'app'))
  writeFileSync(join(cwd, 'build.gradle.kts'), 'plugins { id("com.android.application") version "8.7.0" apply false }')
  writeFileSync(join(cwd, 'app/build.gradle.kts'), `plugins { id("com.android.application") }\n${block}`)
  const { variant, problems } = await facts()
  expect({ variant, codes: problems.map(({ code }) => code) }).toEqual({
    variant: undefined,
    codes: ['variant-missing'],
  })
})

it.each([
  ["def names = ['a']\nandroid {\n productFlavors {\n names.each { n ->\n  create(n) { } } } }", ':4', 'names.each'],
  [
    'android {\n compileSdk 35\n}\nfor (n in x) { android.productFlavors.create(n) { } }',
    ':4',
    'productFlavors.create(n)',
  ],
])('names the line of flavors that only Gradle knows', async (script, line, code) => {
  writeFileSync(join(cwd, 'build.gradle'), script)
  const [found] = (await facts()).problems
  expect(found).toMatchObject({ code: 'variant-missing', fix: expect.stringContaining('--variant') })
  expect(found?.message).toContain(`build.gradle${line} `)
  expect(found?.message).toContain(code)
})

describe('flavors in other scripts', () => {
  const put = (file: string, text: string) => writeIn(cwd, file, text)
  const module = "plugins { id 'com.android.application' }\nandroid { defaultConfig { versionName '1.0' } }\n"
  const flavors = 'android { productFlavors { free { } } }'

  it.each([
    ["apply from: 'flavors.gradle'", 'app/flavors.gradle', flavors],
    ['apply from: "$rootDir/gradle/flavors.gradle"', 'gradle/flavors.gradle', flavors],
    ['apply(from = rootProject.file("gradle/flavors.gradle.kts"))', 'gradle/flavors.gradle.kts', flavors],
    ["apply from: file('flavors.gradle')", 'gone', ''],
    ["apply from: 'https://example.com/flavors.gradle'", 'gone', ''],
    ['', 'build.gradle', `subprojects { ${flavors} }`],
    ['', 'buildSrc/src/main/kotlin/shop.gradle.kts', flavors],
    ['', 'build-logic/src/main/kotlin/Flavors.kt', 'extension.productFlavors.register("free")'],
  ])('%s (%s): asks for the variant instead of guessing it', async (statement, file, text) => {
    put('settings.gradle', "includeBuild('build-logic')")
    put('app/build.gradle', `${module}${statement}`)
    put(file, text)
    const found = await facts()
    expect(found.variant).toBeUndefined()
    expect(found.problems).toMatchObject([{ code: 'variant-missing', fix: expect.stringContaining('--variant') }])
  })

  it('asks for the variant if a convention plugin contains the whole android block', async () => {
    put('settings.gradle', "includeBuild('build-logic')")
    put('app/build.gradle', "plugins { id 'shop.application' }")
    put('build-logic/src/main/kotlin/Shop.kt', 'extension.productFlavors.register("free")')
    expect((await facts()).problems).toMatchObject([{ code: 'variant-missing' }])
  })

  it('finds the variant of a script without flavors, but not its values', async () => {
    put('settings.gradle', '')
    put('app/build.gradle', `${module}apply from: 'version.gradle'`)
    put('app/version.gradle', 'ext { versionName = "2" }')
    expect(await facts()).toMatchObject({ variant: 'release', version: { value: '1.0' }, problems: [] })
    put('app/version.gradle', 'android { defaultConfig { versionName "2" } }')
    const found = await facts()
    expect(found.version).toBeUndefined()
    expect(found.expressions.version?.message).toContain('app/version.gradle')
  })

  it('a suffix that another script sets for a flavor is not known', async () => {
    put('app/build.gradle', `${module}apply from: 'flavors.gradle'`)
    put('app/flavors.gradle', 'android { productFlavors { free { versionNameSuffix "-free" } } }')
    const found = await facts('freeRelease')
    expect(found.version).toBeUndefined()
    expect(found.expressions.version?.message).toContain('app/flavors.gradle')
  })

  it('ignores a script that no module applies', async () => {
    put('app/build.gradle', module)
    put('app/other.gradle', `android { defaultConfig { versionName "2" } }\n${flavors}`)
    expect(await facts()).toMatchObject({ variant: 'release', version: { value: '1.0' }, problems: [] })
    // The module applies the script through another script.
    put('app/build.gradle', `${module}apply from: 'first.gradle'`)
    put('app/first.gradle', "apply from: 'other.gradle'")
    expect(await facts()).toMatchObject({ problems: [{ code: 'variant-missing' }] })
  })

  it('names the line of a value that only Gradle can compute', async () => {
    put('app/build.gradle', 'android {\n  defaultConfig {\n    versionName libs.versions.app.get()\n  }\n}\n')
    expect((await facts()).expressions.version).toMatchObject({
      file: 'app/build.gradle:3',
      message: expect.stringContaining('libs.versions.app.get()'),
      fix: expect.stringContaining('--release-version'),
    })
  })

  it.each(['android', 'react-native'])('ignores the values that the symup script for %s reads', async (name) => {
    const text = readFileSync(join(import.meta.dirname, '../..', name, 'symup.gradle'), 'utf8')
    expect(text).toContain('versionName')
    put('settings.gradle', '')
    put(`node_modules/@symup/${name}/symup.gradle`, text)
    put('app/build.gradle', `${module}apply from: '../node_modules/@symup/${name}/symup.gradle'`)
    expect(await facts()).toMatchObject({ version: { value: '1.0' }, problems: [], expressions: {} })
  })
})

it('derives the variant from the path of the libraries', async () => {
  const variantAt = async (...libraries: string[]) => (await readModuleFacts({ cwd, libraries })).variant
  expect(await variantAt('app/build/intermediates/merged_native_libs/freeRelease')).toBe('freeRelease')
  expect(await variantAt('app/build/intermediates/merged_native_libs/freeRelease/out/lib/arm64-v8a')).toBe(
    'freeRelease',
  )
  expect(await variantAt('app/build/intermediates/cmake/paidDebug/obj', 'libs')).toBe('paidDebug')
  // Neither the directories nor a build script mention flavors.
  for (const place of ['cxx/RelWithDebInfo/2q3/obj', 'merged_native_libs'])
    expect(await variantAt(`app/build/intermediates/${place}`)).toBe('release')
  for (const variant of ['freeRelease', 'paidRelease']) {
    mkdirSync(join(cwd, 'app/build/intermediates/merged_native_libs', variant), { recursive: true })
    const found = await readModuleFacts({ cwd, libraries: ['app/build/intermediates/merged_native_libs'] })
    expect(found.variant).toBe(variant === 'freeRelease' ? 'freeRelease' : undefined)
  }
  const several = await readModuleFacts({ cwd, libraries: ['a/cmake/freeRelease/obj', 'a/cmake/paidRelease/obj'] })
  expect(several.problems).toMatchObject([{ code: 'variant-missing', message: expect.stringContaining('paidRelease') }])
})
