import { describe, expect, it } from 'vitest'
import { FIELDS, parseGradleBuild, valueFor } from './gradle-build.ts'
import { variantOfMappingPath } from './variant.ts'

const variant = async (script: string, name: string) => {
  const build = await parseGradleBuild(script)
  return Object.fromEntries(FIELDS.map((field) => [field, valueFor(build, field, name)]))
}

it('reads flavors, suffixes and precedence from a Groovy script', async () => {
  const script = `
    apply plugin: 'com.android.application'
    android {
      flavorDimensions 'tier', "store"
      defaultConfig { applicationId "com.example.shop"; versionCode 42; versionName "1.4.2" }
      buildTypes { release { minifyEnabled true }
        beta { applicationIdSuffix 'beta' ; versionNameSuffix '-b' } }
      productFlavors {
        play { dimension 'store'; versionNameSuffix '-play'; versionCode 1_000 }
        free { dimension 'tier'; applicationIdSuffix ".free"; versionName '2.0' }
        paid { dimension 'tier' }
      }
    }`
  expect((await parseGradleBuild(script)).flavors).toEqual(['play', 'free', 'paid'])
  expect(await variant(script, 'freePlayBeta')).toEqual({
    applicationId: { literal: 'com.example.shop.free.beta' },
    versionName: { literal: '2.0-play-b' },
    versionCode: { literal: '1000' },
  })
})

it('keeps the blocks of a Kotlin script apart, although gradle-to-js merges them', async () => {
  const script = `
    plugins { id("com.android.application") version "8.1.0" }
    android {
      namespace = "com.example.shop"
      defaultConfig { versionCode = 7
        versionName = "1.0" }
      productFlavors {
        create("free") { applicationIdSuffix = ".free" }
        register("paid") { versionNameSuffix = "-paid" }
      }
      buildTypes { getByName("release") { isMinifyEnabled = true } }
    }`
  expect(await variant(script, 'freeRelease')).toMatchObject({
    applicationId: { literal: 'com.example.shop.free' },
    versionName: { literal: '1.0' },
  })
  expect(await variant(script, 'paidRelease')).toMatchObject({
    applicationId: { literal: 'com.example.shop' },
    versionName: { literal: '1.0-paid' },
  })
})

it.each([
  ['free', 'freemium', 'freemiumRelease'],
  ['eu', 'freeEu', 'freeEuRelease'],
  ['v1', 'v11', 'v11Release'],
])('does not mistake the flavor %s for part of %s', async (shorter, longer, name) => {
  const script = `android { defaultConfig { applicationId "com.shop" }
    productFlavors { ${shorter} { applicationIdSuffix ".other" }
      ${longer} { dimension "tier" } }
    buildTypes { release { minifyEnabled true }
      preRelease { debuggable true } } }`
  expect((await variant(script, name)).applicationId).toEqual({ literal: 'com.shop' })
  expect((await variant(script, `${shorter}Release`)).applicationId).toEqual({ literal: 'com.shop.other' })
})

it('does not mistake the build type release for part of preRelease', async () => {
  const script = `android { defaultConfig { versionName "1" }
    buildTypes { release { versionNameSuffix "-final" }
      preRelease { versionNameSuffix "-pre" } } }`
  expect((await variant(script, 'preRelease')).versionName).toEqual({ literal: '1-pre' })
  expect((await variant(script, 'release')).versionName).toEqual({ literal: '1-final' })
})

it.each(['flavorDimensions.add("tier")', 'flavorDimensions += "tier"', 'flavorDimensions.addAll(listOf("tier"))'])(
  'recognizes the flavor dimensions in %s',
  async (statement) => {
    const flavors = 'productFlavors { create("free") { dimension = "tier" } }'
    const build = await parseGradleBuild(`android { ${statement}\n ${flavors} }`)
    expect(build.hiddenFlavors).toBeUndefined()
    expect(build.flavors).toEqual(['free'])
  },
)

it('ignores braces and quotes in strings, templates and comments', async () => {
  const script = `
    // }}} "
    android { /* { ' */
      defaultConfig {
        resValue "string", "brace", "}" // {
        buildConfigField 'String', 'X', "\${[a: "}"].a}"
        versionName '''1.0 // "not" a comment'''
        applicationId "it's.\\"quoted\\""
        versionCode 8
      }
    }`
  expect(await variant(script, 'release')).toEqual({
    applicationId: { literal: 'it\'s."quoted"' },
    versionName: { literal: '1.0 // "not" a comment' },
    versionCode: { literal: '8' },
  })
})

it.each([
  ['versionName rootProject.ext.version', 'versionName', 'rootProject.ext.version'],
  ['versionName "1.$minor"', 'versionName', '"1.$minor"'],
  ["versionName = '1.' + minor()", 'versionName', "'1.' + minor()"],
  ['versionCode 1 + 2', 'versionCode', '1 + 2'],
  ['applicationId = libs.versions.id.get()', 'applicationId', 'libs.versions.id.get()'],
  ["if (ci) { versionName '9' }\nversionName '1'", 'versionName', 'versionName is set in multiple places'],
  ["if (ci) versionName '9'", 'versionName', 'versionName is set in multiple places'],
  ["if (ci())\n versionName '9'", 'versionName', 'versionName is set in multiple places'],
  ["if (a) b()\nelse\n versionName '9'", 'versionName', 'versionName is set in multiple places'],
  ['versionName = when (x) { 1 -> a\n else -> b }', 'versionName', '{ … }'],
  ["versionName '1'\nsetVersionName('9')", 'versionName', 'versionName is set in multiple places'],
] as const)('reports the value in "%s" as an expression', async (statement, field, expression) => {
  const found = await variant(`android { defaultConfig {\n${statement}\n} }`, 'release')
  expect(found?.[field]).toEqual({ expression })
})

it.each([
  'plugins { alias(libs.plugins.android.application) }',
  'plugins {\n id(libs.plugins.app.get().pluginId)\n}',
  'dependencies { implementation("a:b:1") { exclude(group = "x") } }',
])("reads the app's block after %s", async (block) => {
  const script = `${block}\nandroid {\n defaultConfig {\n versionName = "1.0"\n }\n}`
  expect((await variant(script, 'release')).versionName).toEqual({ literal: '1.0' })
})

it('reads calls of several lines', async () => {
  const dimensions = 'flavorDimensions.addAll(\n listOf(\n "t",\n "u",\n )\n )'
  const flavor = 'create(\n "free",\n ) {\n dimension = "t"\n versionNameSuffix = "-free"\n }'
  const script = `android {\n defaultConfig { versionName = "1" }\n ${dimensions}\n productFlavors {\n ${flavor}\n }\n}`
  expect((await parseGradleBuild(script)).flavors).toEqual(['free'])
  expect((await variant(script, 'freeRelease')).versionName).toEqual({ literal: '1-free' })
})

it('a loop over names sets the values of each flavor', async () => {
  const loop = 'names.each { n ->\n create(n) { }\n versionNameSuffix "-$n" }'
  const script = `android { defaultConfig { versionName "1" }\n productFlavors {\n ${loop} } }`
  expect((await variant(script, 'freeRelease')).versionName).toEqual({ expression: '"1" + "-$n"' })
})

it.each([
  ['versionCode', 'applicationVariants.all { v -> v.outputs.each { o -> o.versionCodeOverride = 9 } }'],
  ['versionName', 'androidComponents { onVariants { v -> v.outputs.forEach { it.versionName.set("2") } } }'],
] as const)('reports that the %s is unknown if outputs set it: %s', async (field, statement) => {
  const script = `android { defaultConfig { versionCode 1; versionName '1' }\n ${statement} }`
  expect((await variant(script, 'release'))[field]).toEqual({ expression: `${field} is set in multiple places` })
})

it.each(['"release" {', 'val release by getting {', 'maybeCreate("release").apply {', 'named("release").configure {'])(
  'reads the build type %s',
  async (opening) => {
    const script = `android { defaultConfig { versionName = "1" }\n buildTypes { ${opening} versionNameSuffix = "-r" } } }`
    expect((await variant(script, 'release')).versionName).toEqual({ literal: '1-r' })
  },
)

it.each(['initWith release', 'initWith(getByName("release"))', 'initWith(buildTypes["release"])'])(
  'reports values copied by %s as unknown',
  async (copying) => {
    const types = `buildTypes { release { versionNameSuffix "-r" }\n beta {\n ${copying}\n debuggable true\n } }`
    const script = `android { defaultConfig { versionName "1"; versionCode 2 }\n ${types} }`
    expect(await variant(script, 'beta')).toMatchObject({ versionName: { expression: expect.any(String) } })
    expect((await variant(script, 'beta')).versionCode).toEqual({ literal: '2' })
    expect((await variant(script, 'release')).versionName).toEqual({ literal: '1-r' })
    const alone = `buildTypes { release { minifyEnabled true }\n beta {\n ${copying}\n versionNameSuffix "-b"\n } }`
    const copiesNone = await variant(`android { defaultConfig { versionName "1" }\n ${alone} }`, 'beta')
    expect(copiesNone.versionName).toEqual({ literal: '1-b' })
  },
)

it('treats a value as an expression if any part of it is an expression', async () => {
  const script = `android { defaultConfig { versionName "1.0" }
    buildTypes { release { versionNameSuffix "-" + hash() } } }`
  expect((await variant(script, 'release'))?.versionName).toEqual({ expression: '"1.0" + "-" + hash()' })
  expect((await variant(script, 'debug'))?.versionName).toEqual({ literal: '1.0' })
})

it('stops at the end of a truncated script and finds no variant in an unrelated file', async () => {
  for (const text of [
    'android { defaultConfig { versionName "1',
    '}}}{{{',
    '<html>"',
    "'''",
    'a('.repeat(1000),
    '"${'.repeat(500),
  ]) {
    expect(await variant(text, 'release')).not.toContain({ literal: expect.anything() })
  }
})

it('refuses a script whose blocks are nested too deeply', async () => {
  await expect(parseGradleBuild(`android ${'{'.repeat(30_000)}`)).rejects.toThrow('nested')
})

it.each(['configure<ApplicationExtension>', 'create( free'])('reads any number of blanks after %s', async (call) => {
  expect(await variant(`${call}${' '.repeat(100_000)}x`, 'release')).not.toContain({ literal: expect.anything() })
})

it('derives the variant from the path of the mapping file', () => {
  expect(variantOfMappingPath('app/build/outputs/mapping/freeRelease/mapping.txt')).toBe('freeRelease')
  expect(variantOfMappingPath('app/build/outputs/mapping/free/release/mapping.txt')).toBe('freeRelease')
  expect(variantOfMappingPath('C:\\app\\build\\outputs\\mapping\\release\\mapping.txt')).toBe('release')
  expect(variantOfMappingPath('mapping.txt')).toBeUndefined()
})

describe('a path that does not match any known layout', () => {
  const inAndroid = (body: string) => `plugins { id 'com.android.application' }\nandroid {\n${body}\n}`
  const flavors = 'productFlavors {\n free {}\n paid {}\n }'
  const seen = async (script: string) => {
    const { flavors, hiddenFlavors: hidden } = await parseGradleBuild(script)
    return { flavors, hidden }
  }

  it.each([
    ['a one-line block', `lintOptions { abortOnError false }\n${flavors}`],
    ['braces in a string', `packagingOptions { excludes += '/{A,B}' }\n${flavors}`],
    ['if and else blocks', `if (ci) {\n a 1\n } else {\n b 2\n }\n${flavors}`],
    [
      'if and else after a nested block',
      `buildFeatures {\n c true\n }\nif (ci) {\n a 1\n } else {\n b 2\n }\n${flavors}`,
    ],
    ['a multi-line condition', `a {\n b 1\n }\nif (x(\n1) &&\n y) {\n c 2\n } else if (z) {\n d 3\n }\n${flavors}`],
    ['a loop', `a {\n b 1\n }\nfor (x in y) {\n if (x) { c 2 }\n }\n${flavors}`],
    ['if and else', `buildTypes { release { if (ci) signingConfig a\n else signingConfig b\n } }\n${flavors}`],
  ])('finds the flavors next to %s', async (_, body) => {
    expect(await seen(inAndroid(body))).toEqual({ flavors: ['free', 'paid'], hidden: undefined })
  })

  it.each([
    'configure<ApplicationExtension> {',
    'extensions.configure<com.android.build.api.dsl.ApplicationExtension> {',
    'configure<BaseAppModuleExtension>() {',
  ])('reads %s as the android block', async (opening) => {
    const script = `${opening}\n defaultConfig { versionName = "1" }\n productFlavors { create("free") { } }\n}`
    expect(await seen(script)).toEqual({ flavors: ['free'], hidden: undefined })
    expect((await variant(script, 'freeRelease')).versionName).toEqual({ literal: '1' })
  })

  it('prefers the value of a flavor, and reports a value that several flavors set as unknown', async () => {
    const script = inAndroid(`defaultConfig { versionName '1' }
      productFlavors { free { versionName '2' }\n play { versionName '3' } }`)
    expect((await variant(script, 'freeRelease')).versionName).toEqual({ literal: '2' })
    expect((await variant(script, 'freePlayRelease')).versionName).toEqual({ expression: expect.any(String) })
  })

  it.each([
    `defaultConfig {\n${flavors}\n }`,
    "productFlavors { ['free', 'paid'].each { name -> create(name) { } } }",
    'productFlavors { register("free"); create("paid") }',
    `if (ci) {\n${flavors}\n }`,
    'productFlavors { if (ci) { free { } } }',
    'flavorDimensions "tier"',
    'productFlavors.create("free")',
    'addFlavors(productFlavors)',
  ])('%s: reports that there may be more flavors', async (body) => {
    expect((await seen(inAndroid(body))).hidden).toEqual(expect.any(String))
  })

  it.each([
    ["afterEvaluate { android { defaultConfig { versionName '2' } } }", 'versionName'],
    ['android.defaultConfig.versionCode = 8', 'versionCode'],
    ['android { defaultConfig.apply { applicationId = "a.b" } }', 'applicationId'],
  ] as const)('%s: reports that the value is unknown', async (statement, field) => {
    const script = `${inAndroid("defaultConfig { versionName '1'; versionCode 1; applicationId 'x.y' }")}\n${statement}`
    expect((await variant(script, 'release'))[field]).toEqual({ expression: expect.stringContaining(field) })
  })
})

it('splits a variant into flavors quickly, although many flavors could be its start', async () => {
  const flavors = Array.from({ length: 30 }, (_, index) => `${'a'.repeat(index + 1)} { dimension 'd' }`).join('\n')
  const script = `android { defaultConfig { versionName "1" }\nproductFlavors {\n${flavors}\n} }`
  expect(await variant(script, `${'a'.repeat(60)}bRelease`)).toMatchObject({ versionName: { literal: '1' } })
})
