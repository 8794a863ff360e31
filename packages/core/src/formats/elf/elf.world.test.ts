import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useDirectory } from '../../../../../test/support/directory.ts'
import { needs } from '../../../../../test/support/tool.ts'
import { BEYOND_4_GIB, buildIdOf, everyShape, writeShape } from './elf.fixture.ts'
import { readElf } from './elf.ts'

const scratch = useDirectory()

const readelf = needs('readelf', spawnSync('readelf', ['--version']).status === 0, 'Debian: binutils')

/** The build id of each file, as readelf reports it. */
function readelfBuildIds(paths: string[]): Map<string, string> {
  // Ignores readelf's exit code, because it is not 0 for files without notes.
  const text = spawnSync('readelf', ['-n', '-W', ...paths], { encoding: 'utf8' }).stdout
  const ids = new Map<string, string>()
  let file = paths[0] as string
  for (const line of text.split('\n')) {
    file = /^File: (.*)$/.exec(line)?.[1] ?? file
    const id = /Build ID: ([0-9a-f]+)/.exec(line)?.[1]
    if (id !== undefined && !ids.has(file)) ids.set(file, id)
  }
  return ids
}

describe.skipIf(!readelf.isThere)(`ELF files compared with readelf -n${readelf.reason}`, () => {
  it('finds the same build id in files with every layout', async () => {
    const shapes = everyShape()
    const paths = shapes.map((_, index) => join(scratch, `v${index}.so`))
    for (const [index, shape] of shapes.entries()) writeShape(shape, paths[index] as string)
    const theirs = readelfBuildIds(paths)
    expect(theirs.size).toBeGreaterThan(150)
    for (const path of paths) expect((await readElf(path)).buildId).toBe(theirs.get(path))
  })

  it('finds the same build id beyond 4 GiB', () => {
    const path = join(scratch, 'sparse.so')
    writeShape(BEYOND_4_GIB, path)
    expect(readelfBuildIds([path]).get(path)).toBe(buildIdOf(BEYOND_4_GIB))
  })
})
