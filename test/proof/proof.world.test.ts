import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collectJavaScript, prove } from '@symup/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withEsbuild, withRolldown, withRollupAndTerser, withRspack, withWebpack, writeEntry } from './bundles.ts'

const BUNDLERS = {
  esbuild: withEsbuild,
  rolldown: withRolldown,
  'rollup + terser': withRollupAndTerser,
  webpack: withWebpack,
  rspack: withRspack,
}

let directory: string
let entry: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'symup-proof-'))
  entry = writeEntry(directory)
})
afterAll(() => rmSync(directory, { recursive: true }))

async function proofOf(script: string, map: string) {
  const dist = mkdtempSync(join(directory, 'dist-'))
  writeFileSync(join(dist, 'app.js'), script)
  writeFileSync(join(dist, 'app.js.map'), map)
  const plan = await collectJavaScript({
    directory: dist,
    service: 's',
    version: '1',
    minifiedPathPrefix: '/',
    toolVersion: '0',
  })
  const proof = await prove(plan.uploads, { cwd: dist })
  return { ...proof, found: proof.problems.map(({ code, message }) => `${code}: ${message}`) }
}

describe.each(Object.entries(BUNDLERS))('checking the output of %s', (name, build) => {
  let script: string
  let map: string
  beforeAll(async () => {
    const file = join(directory, `${name.replace(/\W+/g, '-')}.js`)
    await build(entry, file)
    script = readFileSync(file, 'utf8')
    map = readFileSync(`${file}.map`, 'utf8')
  })

  it('resolves every position in an unmodified build', async () => {
    const { positions, resolved, found } = await proofOf(script, map)
    expect(found).toEqual([])
    expect(positions).toBeGreaterThan(50)
    expect(resolved).toBe(positions)
  })

  it.each([1, 1200])('reports by how many lines a banner shifted the script: %i', async (lines) => {
    const { positions, resolved, problems } = await proofOf('/* licence */\n'.repeat(lines) + script, map)
    expect(problems).toMatchObject([{ code: 'map-offset', file: 'app.js' }])
    expect(problems[0]?.message).toContain(`line numbers in the script are ${lines} higher`)
    expect(resolved).toBeLessThan(positions / 4)
  })

  it.each([
    ['a few', '/*!v1*/'],
    ['many', `/*! ${'licence '.repeat(80)}*/`],
  ])('reports by how many columns a banner shifted the script: %s', async (_, banner) => {
    const { problems } = await proofOf(banner + script, map)
    // If the first line is short, hardly any position moves, and no problem is reported.
    if (script.indexOf('\n') < script.length / 2) return
    expect(problems).toMatchObject([{ code: 'map-offset' }])
    expect(problems[0]?.message).toContain(`column numbers in the script are ${banner.length} higher`)
  })

  it('detects a removed line', async () => {
    const moved = JSON.stringify({ ...JSON.parse(map), mappings: `;;${JSON.parse(map).mappings}` })
    const { problems } = await proofOf(script, moved)
    expect(problems).toMatchObject([
      { code: 'map-offset', message: expect.stringContaining('2 lower than in the source map') },
    ])
  })

  it('detects a change in the middle of the file', async () => {
    const half = script.indexOf(';', script.length / 2) + 1
    const { problems } = await proofOf(`${script.slice(0, half)}\n${'void 0;'.repeat(3000)}${script.slice(half)}`, map)
    expect(problems.map(({ code }) => code)).toEqual([expect.stringMatching(/^map-(stale|incomplete)$/)])
  })

  it('reports sources without content', async () => {
    const { sourcesContent: _, ...rest } = JSON.parse(map)
    // The check ignores libraries, so this test treats them as the app's own sources.
    const sources = rest.sources.map((source: string) => source.replaceAll('node_modules/', 'src/'))
    const { problems, positions, resolved } = await proofOf(script, JSON.stringify({ ...rest, sources }))
    expect(problems).toMatchObject([{ code: 'sources-without-content' }])
    expect(resolved).toBe(positions)
  })
})

it('detects a map from another build', async () => {
  const [a, b] = [join(directory, 'a.js'), join(directory, 'b.js')]
  await withEsbuild(entry, a)
  await withRspack(entry, b)
  const { problems } = await proofOf(readFileSync(a, 'utf8'), readFileSync(`${b}.map`, 'utf8'))
  expect(problems.map(({ code }) => code)).toEqual([expect.stringMatching(/^map-(stale|incomplete)$/)])
})

it('detects a map with only line positions', async () => {
  const file = join(directory, 'cheap.js')
  await withWebpack(entry, file, 'cheap-module-source-map')
  const { problems, positions, resolved } = await proofOf(
    readFileSync(file, 'utf8'),
    readFileSync(`${file}.map`, 'utf8'),
  )
  expect(problems).toMatchObject([{ code: 'map-low-resolution' }])
  expect(resolved).toBeLessThan(positions / 4)
})

it('detects a map without mappings', async () => {
  const file = join(directory, 'bare.js')
  await withEsbuild(entry, file)
  const map = JSON.stringify({ ...JSON.parse(readFileSync(`${file}.map`, 'utf8')), mappings: '' })
  const { problems } = await proofOf(readFileSync(file, 'utf8'), map)
  expect(problems).toMatchObject([{ code: 'map-incomplete' }])
})
