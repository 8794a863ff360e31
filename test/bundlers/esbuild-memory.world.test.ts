import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { SymupOptions } from '@symup/unplugin/esbuild'
import symupEsbuild from '@symup/unplugin/esbuild'
import * as esbuild from 'esbuild'
import { describe, expect, it } from 'vitest'
import { useIntake } from '../support/intake.ts'
import { logged } from '../support/printed.ts'
import { BASE, optionsFor, source, temporaryOutput, WEB_APP } from './bundle.ts'
import { esbuildOptions } from './other-bundlers.ts'
import { expectUploadedOnce, newService } from './properties/build.ts'

// esbuild with `write: false`.

const intake = useIntake()

describe('esbuild with write: false', () => {
  const inMemory = (
    outDir: string,
    options: SymupOptions = {},
    more: esbuild.BuildOptions = {},
    service = newService('memory'),
  ) =>
    esbuild.build({
      ...esbuildOptions({ entries: { single: source('single.js') }, root: WEB_APP, base: BASE, outDir }),
      ...more,
      write: false,
      plugins: [symupEsbuild({ ...optionsFor(intake, service), ...options })],
    })

  it('uploads the bytes of the result, and omits its own maps from it', async () => {
    using directory = temporaryOutput()
    const service = newService('memory')
    let result: esbuild.BuildResult | undefined
    const output = await logged(async () => {
      result = await inMemory(directory.path, {}, {}, service)
    })
    await expectUploadedOnce(intake, service, ['/shop/single.js'])
    expect(result?.outputFiles?.map(({ path }) => path)).toEqual([join(directory.path, 'single.js')])
    expect(result?.outputFiles?.[0]?.text).not.toContain('sourceMappingURL')
    expect(output).toContain('Removed 1 source map from outputFiles.')
    expect(output).toMatch(/Uploaded 1 artifact/)
    expect(readdirSync(directory.path)).toEqual([])
  })

  it('explains what to set in tsup, which defaults to false', async () => {
    using directory = temporaryOutput()
    const more = { sourcemap: false, define: { TSUP_FORMAT: '"esm"' } }
    const output = await logged(() => inMemory(directory.path, { onError: 'warn' }, more))
    expect(output).toMatch(/warning sourcemaps-off: .*\n.*fix: Set sourcemap: true\.\n/)
  })

  it("keeps the user's own maps in the result, and reports it", async () => {
    using directory = temporaryOutput()
    const service = newService('memory')
    let result: esbuild.BuildResult | undefined
    const output = await logged(async () => {
      result = await inMemory(directory.path, {}, { sourcemap: 'external' }, service)
    })
    await expectUploadedOnce(intake, service, ['/shop/single.js'])
    expect(result?.outputFiles).toHaveLength(2)
    expect(output).toContain('The output still contains 1 source map from this build')
  })

  it('keeps unsent artifacts with the command that sends them, and finds the API key', async () => {
    using directory = temporaryOutput()
    let result: esbuild.BuildResult | undefined
    const cacheDirectory = join(directory.path, 'cache')
    // esbuild returns its output to the caller, so no other test may use this key.
    const apiKey = 'key-in-a-banner'
    const output = await logged(async () => {
      result = await inMemory(
        directory.path,
        { endpoint: 'http://127.0.0.1:9', apiKey, cacheDirectory, onError: 'warn' },
        { banner: { js: `globalThis.key = '${apiKey}'` } },
      )
    })
    expect(result?.outputFiles?.map(({ path }) => path)).toEqual([join(directory.path, 'single.js')])
    const staged = readdirSync(join(directory.path, 'cache/staged'), { recursive: true, encoding: 'utf8' })
    expect(staged.filter((file) => file.endsWith('.js.map'))).toHaveLength(1)
    expect(output).toMatch(/npx symup@\S+ web upload \S*cache\/staged\/\S+ .*--delete-after-upload/)
    expect(output).toContain('However, the API key was found in')
  })
})
