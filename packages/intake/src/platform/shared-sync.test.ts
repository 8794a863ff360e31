import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SharedSync } from './shared-sync.ts'

test('reports a directory that cannot be opened, and tries again', async () => {
  const root = mkdtempSync(join(tmpdir(), 'symup-sync-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  writeFileSync(join(root, 'file'), '')
  const directories = new SharedSync('directory')
  const within = join(root, 'file/within')
  const asked = await Promise.allSettled([within, within, within].map((name) => directories.sync(name)))
  expect(asked).toMatchObject(Array(3).fill({ status: 'rejected', reason: { code: 'ENOTDIR' } }))
  rmSync(join(root, 'file'))
  mkdirSync(within, { recursive: true })
  await directories.sync(within)
  directories.close()
})
