import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { pack } from './index.ts'

// Thousands of files are quick to write and slow to delete while others wait for the disk.
it('leaves no archive of more entries than are allowed', { timeout: 300_000 }, async () => {
  const dist = mkdtempSync(join(tmpdir(), 'symup-pack-'))
  try {
    writeFileSync(join(dist, 'app.json'), JSON.stringify({ pages: ['pages/index/index'] }))
    // Maps without scripts are packed as well.
    for (let nth = 0; nth < 5001; nth++) writeFileSync(join(dist, `${nth}.js.map`), '')
    const output = join(dist, 'out/sourcemap.zip')
    const { problems } = await pack(dist, { output })
    expect(problems.map(({ message }) => message)).toEqual(['The archive has 5001 entries; at most 5000 are allowed.'])
    expect(existsSync(output)).toBe(false)
  } finally {
    rmSync(dist, { recursive: true })
  }
})
