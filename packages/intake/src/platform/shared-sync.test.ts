import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { shared, syncPath } from './shared-sync.ts'

test('reports a directory that cannot be opened, and tries it again', async () => {
  const root = mkdtempSync(join(tmpdir(), 'symup-sync-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  writeFileSync(join(root, 'file'), '')
  const within = join(root, 'file/within')
  let synced = 0
  const sync = shared(() => syncPath(within, async () => void synced++))
  const asked = await Promise.allSettled([sync(), sync(), sync()])
  expect(asked).toMatchObject(Array(3).fill({ status: 'rejected', reason: { code: 'ENOTDIR' } }))
  rmSync(join(root, 'file'))
  mkdirSync(within, { recursive: true })
  await Promise.all([sync(), sync(), sync()])
  expect(synced).toBe(1)
})
