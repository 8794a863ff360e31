import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { post } from '../../packages/intake/src/test-support/client.fixture.ts'
import { type AndroidApp, androidTools, lineOf, prepareAndroidApp } from '../support/android-build.ts'
import { useIntake } from '../support/intake.ts'
import type { Ended } from '../support/run-to-end.ts'

const tools = androidTools()

const UPLOADS = ['uploadMappingFreeRelease', 'uploadMappingPaidRelease', 'uploadNdkSymbolFilesPaidRelease']

describe.skipIf(!tools.isThere)(`a real Gradle build${tools.reason}`, () => {
  const intake = useIntake()
  let app: AndroidApp
  let build: Ended
  beforeAll(async () => {
    app = await prepareAndroidApp()
    app.configure(`symup {
      variants { free { serviceName = 'shop-free' } }
      additionalSymbolFilesLocations = 'src/main/jniLibs'
    }`)
    build = await app.gradle(UPLOADS, { SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: intake.url })
  }, 400_000)
  afterAll(() => {
    app?.remove()
  })

  const enrich = async (question: object): Promise<{ frames: Record<string, unknown>[]; retraced: string }> =>
    (await post(intake.url, '/sourcemap/stack/enrich', { type: 'android', ...question })).data

  it('uploads each flavor’s mapping file and the native libraries, and reports what was sent', async () => {
    expect(build.output).toContain('BUILD SUCCESSFUL')
    expect(build.output).toContain('(mapping file of shop-free 1.4.2 (42), variant freeRelease)')
    expect(build.output).toContain('(mapping file of com.example.shop 1.4.2-paid (42), variant paidRelease)')
    expect(build.output).toContain('Uploaded 2 artifacts')
    expect(build.output).toContain('(native libraries of com.example.shop 1.4.2-paid (42), variant paidRelease)')
    expect(build.output).not.toContain('dev-api-key')

    const uploads = await intake.uploads()
    const common = { version_code: 42, cli_version: expect.any(String) }
    const paid = { ...common, service: 'com.example.shop', version: '1.4.2-paid', variant: 'paidRelease' }
    const order = (event: object) => Object.values(event).join(' ')
    const events = uploads.map(({ event }) => event)
    expect(events.sort((a, b) => order(a).localeCompare(order(b)))).toEqual([
      { type: 'jvm_mapping_file', ...paid },
      { type: 'jvm_mapping_file', ...common, service: 'shop-free', version: '1.4.2', variant: 'freeRelease' },
      { type: 'ndk_symbol_file', ...paid, arch: 'arm' },
      { type: 'ndk_symbol_file', ...paid, arch: 'arm64' },
    ])
    for (const { origin } of uploads) expect(origin).toBe('symup-android')
  })

  it('resolves errors from the minified classes of a flavor to the original lines', async () => {
    const stack = app.crash('free/release')
    expect(stack).toMatch(/at com\.example\.shop\.a\.a/)
    expect(stack).not.toContain('Cart')
    const { frames, retraced } = await enrich({
      service: 'shop-free',
      version: '1.4.2',
      variant: 'freeRelease',
      stack,
    })
    const cart = 'com/example/shop/pay/Cart.java'
    const activity = 'com/example/shop/MainActivity.java'
    expect(
      retraced
        .split('\n')
        .slice(0, 4)
        .map((line) => line.trim()),
    ).toEqual([
      'Exception in thread "main" java.lang.IllegalStateException: empty line x',
      `at com.example.shop.pay.Cart$Line.price(Cart.java:${lineOf(cart, 'empty line')})`,
      `at com.example.shop.pay.Cart.checkout(Cart.java:${lineOf(cart, 'String checkout')})`,
      `at com.example.shop.MainActivity$1.onClick(MainActivity.java:${lineOf(activity, 'cart.checkout')})`,
    ])
    expect(frames.filter(({ converted }) => converted).map(({ line }) => line)).toEqual([
      lineOf(cart, 'empty line'),
      lineOf(cart, 'String checkout'),
      lineOf(activity, 'cart.checkout'),
    ])
  })

  it('resolves a native stack from a flavor by the build ids of the uploaded libraries', async () => {
    const buildId = '725d8a9b24779d7b7490796a6fc5ee732118dcd1'
    const stack = ['0000000000004410', '00000000000043bc', '00000000000043ec']
      .map((pc, index) => `  #0${index} pc ${pc}  /data/app/shop-1/lib/arm64/libshop.so (BuildId: ${buildId})`)
      .join('\n')
    const { frames } = await enrich({ service: 'com.example.shop', version: '1.4.2-paid', stack })
    // The output of llvm-symbolizer: fixtures/symbols/native/expected-symbolized.txt.
    expect(frames.map((frame) => [frame.converted, frame.function, frame.file, frame.line])).toEqual([
      [true, 'shop::checked(int)', './crash.cpp', 6],
      [true, 'shop::Line::price() const', './crash.cpp', 8],
      [true, 'Java_com_example_shop_Native_total', './crash.cpp', 12],
    ])
  })

  it('always uploads again, prefers the build script’s endpoint, and fails with a reason that does not contain the key', async () => {
    writeFileSync(join(app.module, '../symup.json'), JSON.stringify({ endpoint: 'http://127.0.0.1:1' }))
    app.configure(`symup { sourcemapEndpoint = '${intake.url}'; site = 'NOWHERE' }`)
    const env = { SYMUP_API_KEY: 'a-wrong-key', SYMUP_ENDPOINT: 'http://127.0.0.1:2' }
    const failed = await app.gradle(['uploadMappingFreeRelease'], env)
    expect(failed.exitCode).toBe(1)
    expect(failed.output).toContain('sourcemap/upload ← symup.sourcemapEndpoint')
    expect(failed.output).toContain("Execution failed for task ':app:uploadMappingFreeRelease'")
    expect(failed.output).toMatch(/> symup: error unauthorized: .*mapping\.txt/)
    expect(failed.output).toContain('fix: Check that the key is complete')
    expect(failed.output).not.toContain('a-wrong-key')
  }, 400_000)

  it('recognizes unmatched blocks, missing SDKs and other obfuscators', async () => {
    app.configure(`symup {
      variants { paidRelaese { site = 'CN' }; paidRelease { checkProjectDependencies = 'fail' } }
      nonDefaultObfuscation = true
      sdkCoordinates = 'cloud.flashcat:*-sdk-android-rum'
    }`)
    const tasks = ['tasks', '--all', 'prePaidReleaseBuild', 'preFreeReleaseBuild']
    const { output } = await app.gradle(tasks, { SYMUP_LANG: 'zh' })
    expect(output).toMatch(/symup：.*“paidRelaese”/)
    for (const variant of ['FreeDebug', 'FreeRelease', 'PaidDebug', 'PaidRelease']) {
      expect(output).toContain(`uploadMapping${variant} - `)
    }
    expect(output).not.toContain('uploadNdkSymbolFiles')
    expect(output).toContain("Execution failed for task ':app:checkSymupDependenciesPaidRelease'")
    expect(output).toContain(
      'symup：paidRelease 的依赖中没有 RUM SDK（cloud.flashcat:*-sdk-android-rum），因此应用不会上报任何内容。',
    )
  }, 400_000)
})
