import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SharedSync } from './shared-sync.ts'

test('directories stay open until the end, however many ask and whether they are there or not', async () => {
  const root = mkdtempSync(join(tmpdir(), 'symup-sync-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const names = ['00', '0a', 'ff'].map((name) => join(root, name))
  for (const name of names) mkdirSync(name)
  const directories = new SharedSync('directory')
  const asked = [...names, ...names, ...names, join(root, 'absent')]
  await Promise.all(asked.map((name) => directories.sync(name)))
  await directories.sync(names[0] as string)
  if (process.platform === 'linux') expect(openBelow(root)).toEqual(names)
  directories.close()
  if (process.platform === 'linux') expect(openBelow(root)).toEqual([])
})

test('a directory that cannot be opened is said, and asked for again', async () => {
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

/** Files below a directory that this process has open. */
function openBelow(root: string): string[] {
  const targets = readdirSync('/proc/self/fd').flatMap((file) => {
    try {
      return [readlinkSync(`/proc/self/fd/${file}`)]
    } catch {
      return []
    }
  })
  return targets.filter((target) => target.startsWith(root)).sort()
}
