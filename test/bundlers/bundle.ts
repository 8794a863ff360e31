import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Intake } from '@symup/intake'
import type { SymupOptions } from '@symup/unplugin/vite'
import { ROOT } from '../support/build-fixture.ts'

export const WEB_APP = join(ROOT, 'fixtures/web-app')
export const BASE = '/shop/'

/** A directory inside the fixture, like a project's own output directory. `dispose` removes it. */
export function temporaryOutput(): { path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(WEB_APP, 'dist-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

export const source = (file: string) => join(WEB_APP, 'src', file)

/** Options for a build that uploads to a local intake. The service distinguishes the uploads of different builds. */
export function optionsFor(intake: Pick<Intake, 'url'>, service: string, more: SymupOptions = {}): SymupOptions {
  return {
    apiKey: 'dev-api-key',
    endpoint: intake.url,
    service,
    version: '1.2.3',
    ignoreConfigFile: true,
    onError: 'fail',
    ...more,
  }
}

export const isScript = (file: string) => /\.[mc]?js$/.test(file)

export interface Uploaded {
  url: string
  event: Record<string, unknown>
  script: string
  map: { sources: string[]; mappings: string }
  parts: string[]
  /** Whether the intake received it exactly once. */
  once: boolean
}

/** What an intake has for a service, sorted by address. */
export async function uploadedOf(intake: Pick<Intake, 'uploads'>, service: string): Promise<Uploaded[]> {
  const uploads = (await intake.uploads()).filter((upload) => upload.service === service)
  const read = await Promise.all(
    uploads.map(async ({ event, parts, createdAt, updatedAt }) => {
      const bytes = async (name: string) => String(await parts.find((part) => part.name === name)?.read())
      return {
        url: String(event.minified_url),
        event,
        script: await bytes('minified_file'),
        map: JSON.parse(await bytes('source_map')),
        parts: parts.map(({ name }) => name).sort(),
        once: createdAt === updatedAt,
      }
    }),
  )
  return read.sort((a, b) => (a.url < b.url ? -1 : 1))
}
