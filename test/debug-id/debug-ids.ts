import { createHash } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { collectJavaScript, prove } from '@symup/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useDirectory } from '../support/directory.ts'
import { type Builds, readOutput, writeApp } from './builds.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const textOf = (files: Map<string, Buffer>, file: string) => String(files.get(file))
const idIn = (code: string) => /^\/\/# debugId=(\S+)$/m.exec(code)?.[1]

/** Properties of the debug ids of every build. */
export function describeDebugIds(builds: Builds): void {
  const directory = useDirectory()

  describe.each(Object.entries(builds))('%s', (name, build) => {
    let root: string
    let outDir: string
    let files: Map<string, Buffer>
    let scripts: string[]
    const buildIn = async (where: string, debugIds = true) => {
      const out = mkdtempSync(join(directory, 'dist-'))
      await build({ root: where, outDir: out, debugIds })
      return out
    }
    beforeAll(async () => {
      root = mkdtempSync(join(directory, 'app-'))
      writeApp(root)
      outDir = await buildIn(root)
      files = readOutput(outDir)
      scripts = [...files.keys()].filter((file) => file.endsWith('.js'))
    })

    it('every script has a unique id, which its map and the upload share', async () => {
      expect(scripts.length).toBe(2)
      const ids = scripts.map((file) => idIn(textOf(files, file)))
      for (const id of ids) expect(id).toMatch(UUID)
      expect(new Set(ids).size).toBe(scripts.length)
      const plan = await collectJavaScript({
        directory: outDir,
        service: 's',
        version: '1',
        minifiedPathPrefix: '/',
        toolVersion: '0',
      })
      for (const { event, parts } of plan.uploads) {
        const [map, script] = parts
        expect(event).toMatchObject({ debug_id: idIn(textOf(files, script?.path.slice(outDir.length + 1) ?? '')) })
        const content = JSON.parse(textOf(files, map?.path.slice(outDir.length + 1) ?? ''))
        expect(content).toMatchObject({ version: 3, debugId: 'debug_id' in event && event.debug_id })
      }
      expect(plan.uploads.length).toBe(2)
      const proof = await prove(plan.uploads)
      expect(proof.problems).toEqual([])
      expect(proof.resolved).toBe(proof.positions)
    })

    it('the comment is the last line before that of the source map', () => {
      for (const file of scripts) {
        const lines = textOf(files, file).trimEnd().split('\n')
        const last = lines.at(-1)?.startsWith('//# sourceMappingURL=') ? -2 : -1
        expect(lines.at(last)).toMatch(/^\/\/# debugId=/)
      }
    })

    it('the same input gives the same bytes', async () => {
      expect(readOutput(await buildIn(root))).toEqual(files)
    })

    it('a build without debug ids has other names, so no name ever stands for two contents', async () => {
      const without = readOutput(await buildIn(root, false))
      const plain = [...without.keys()].filter((file) => file.endsWith('.js'))
      expect(plain).toHaveLength(scripts.length)
      for (const file of plain) expect(textOf(without, file)).not.toContain('debugId')
      expect(plain.filter((file) => scripts.includes(file))).toEqual([])
    })

    const itHolds = name.includes('SRI') ? it : undefined
    itHolds?.('integrity hashes hold', () => {
      const all = [...files].filter(([file]) => /\.(js|html)$/.test(file))
      const output = all.flatMap(([, bytes]) => String(bytes).match(/sha384-[\w+/=]{64}/g) ?? [])
      expect(output.length).toBeGreaterThan(0)
      const real = all.map(([, bytes]) => `sha384-${createHash('sha384').update(bytes).digest('base64')}`)
      for (const hash of output) expect(real).toContain(hash)
    })
  })
}
