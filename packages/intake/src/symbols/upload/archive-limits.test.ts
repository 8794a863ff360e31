import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeZip } from '../../../../../test/support/crafted-zip.ts'
import { startIntake } from '../../index.ts'

it('a dSYM archive that inflates to hundreds of times its size is refused, and nothing of it is kept', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'symup-archive-'))
  const intake = await startIntake()
  try {
    const image = Buffer.alloc(80 * 1024 * 1024)
    image.writeUInt32BE(0xcffaedfe)
    const path = join(directory, 'a.zip')
    writeZip(path, { entries: [{ name: 'App.dSYM/Contents/Resources/DWARF/App', content: image }] })
    const form = new FormData()
    form.set('event', JSON.stringify({ type: 'ios_symbols' }))
    form.set('symbols_archive', new Blob([readFileSync(path)]), 'a.zip')
    const headers = { 'DD-API-KEY': 'dev-api-key' }
    const response = await fetch(`${intake.url}/sourcemap/upload`, { method: 'POST', headers, body: form })
    expect([response.status, await response.json()]).toMatchObject([413, { error: { code: 'EntityTooLarge' } }])
    expect(await intake.uploads()).toEqual([])
  } finally {
    await intake.close()
    rmSync(directory, { recursive: true })
  }
})
