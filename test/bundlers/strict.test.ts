import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SymupOptions } from '@symup/unplugin/vite'
import { expect, it } from 'vitest'
import { useIntake } from '../support/intake.ts'
import { logged } from '../support/printed.ts'
import { BASE, optionsFor, source, temporaryOutput, uploadedOf, WEB_APP } from './bundle.ts'
import { VITE } from './bundlers.ts'
import { newService } from './properties/build.ts'

const intake = useIntake()

/** A plugin that prepends a banner to written files, like a script after the build. */
async function buildWithBanner(options: SymupOptions) {
  using directory = temporaryOutput()
  const service = newService('banner')
  const banner = {
    name: 'banner',
    writeBundle({ dir }: { dir: string }, bundle: Record<string, { type: string }>) {
      for (const [file, { type }] of Object.entries(bundle)) {
        const path = join(dir, file)
        if (type === 'chunk') writeFileSync(path, `/* built by me */\n${readFileSync(path, 'utf8')}`)
      }
    },
  }
  const plugin = VITE.plugin(optionsFor(intake, service, { minifiedPathPrefix: BASE, git: false, ...options }))
  let failure: Error | undefined
  const request = { root: WEB_APP, outDir: directory.path, base: BASE, entries: { main: source('main.js') } }
  const output = await logged(() => VITE.build(request, [banner, plugin]).catch((error) => (failure = error as Error)))
  return { output, failure, uploaded: await uploadedOf(intake, service) }
}

it('causes a warning for a banner that the map does not account for', async () => {
  const { output, failure, uploaded } = await buildWithBanner({ onError: 'warn' })
  expect(failure).toBeUndefined()
  expect(output).toMatch(/warning map-offset: .*1 higher than in the source map/s)
  expect(uploaded.length).toBeGreaterThan(0)
  // The test sets `git: false`, so no upload contains a commit.
  for (const { event } of uploaded) expect(event).not.toHaveProperty('git_commit_sha')
})

it.each(['failOnFindings', 'strict'])('fails the build with %s before anything is sent', async (option) => {
  const { output, failure, uploaded } = await buildWithBanner({ [option]: true })
  expect(output).toContain('error map-offset')
  expect(String(failure)).toBe('SymupError: Nothing was uploaded because some stacks would not resolve.')
  expect(uploaded).toEqual([])
})

it('fails the build if the output contains the API key, without printing it', async () => {
  using directory = temporaryOutput()
  const key = {
    name: 'key',
    // Without `map: null`, the whole chunk would lose its mappings, and the check would fail the build first.
    renderChunk: (code: string) => ({
      code: `${code}\nconsole.debug(${JSON.stringify(Buffer.from('x:dev-api-key').toString('base64'))})`,
      map: null,
    }),
  }
  const options = optionsFor(intake, newService('leak'), { minifiedPathPrefix: BASE, strict: true, git: false })
  const request = { root: WEB_APP, outDir: directory.path, base: BASE, entries: { single: source('single.js') } }
  let failure: Error | undefined
  const output = await logged(() =>
    VITE.build(request, [key, VITE.plugin(options)]).catch((error) => (failure = error)),
  )
  expect(String(failure)).toMatch(/the API key was found in \S+single\.js, which must not be deployed/)
  expect(output).toMatch(/API key +\S+single\.js +The file contains the API key \(as base64\)/)
  expect(output + failure).not.toContain('dev-api-key')
})
