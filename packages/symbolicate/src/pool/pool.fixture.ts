import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SymbolUpload } from '@symup/core'
import { afterAll } from 'vitest'
import type { ArtifactSource } from '../artifacts.ts'
import { artifactSourceOf } from '../upload-source.ts'
import { createStorePool, type StorePool, type StorePoolOptions } from './pool.ts'

export const release = { service: 'shop', version: '1' }
export const jsStack = (frames: number) => '    at f (https://h/a.js:1:1)\n'.repeat(frames)

/** Pools, and sources with their own files. Everything is removed after the tests in the file. */
export function usePools() {
  const directory = mkdtempSync(join(tmpdir(), 'symup-pool-'))
  const pools: StorePool[] = []
  const poolOf = (options: StorePoolOptions = {}) => {
    const pool = createStorePool({ threads: 1, timeoutMs: 60_000, ...options })
    pools.push(pool)
    return pool
  }
  const shared = poolOf()
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.close()))
    rmSync(directory, { recursive: true })
  })

  const fileOf = (content: string | Buffer) => {
    const path = join(directory, randomUUID())
    writeFileSync(path, content)
    return path
  }
  const sourceOf = (event: object, parts: Record<string, string>): ArtifactSource =>
    artifactSourceOf([
      {
        event: { ...release, ...event },
        parts: Object.entries(parts).map(([name, content]) => ({
          name,
          filename: name,
          path: fileOf(content),
          bytes: content.length,
        })),
      } as unknown as SymbolUpload,
    ])
  const script = (map: string) =>
    sourceOf({ type: 'js_sourcemap', minified_url: '/a.js' }, { source_map: map, minified_file: 'x' })
  const explain = async (
    source: ArtifactSource,
    stack: string,
    platform: 'browser' | 'android' | 'harmony' = 'browser',
  ) => (await shared.symbolicate({ ...release, stack, platform }, source)).frames
  return { directory, shared, poolOf, fileOf, sourceOf, script, explain }
}
