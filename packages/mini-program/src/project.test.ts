import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { appidOf } from './project.ts'

it.each([
  ['project.config.json', 'wx1', 'wx1'],
  ['mini.project.json', '2021003131655821', '2021003131655821'],
  ['project.config.json', '', undefined],
  // As uni-app and Taro write it where nobody gave an appid: the running app reports another one.
  ['project.config.json', 'touristappid', undefined],
  ['project.config.json', 'testAppId', undefined],
  ['mini.project.json', '', undefined],
])("'auto' takes the appid of %s, %j, unless it is a guest's", async (file, written, appid) => {
  const directory = mkdtempSync(join(tmpdir(), 'symup-appid-'))
  writeFileSync(join(directory, file), JSON.stringify({ appid: written }))
  const found = await appidOf('auto', [directory])
  expect(found.appid).toBe(appid)
  const fix = `Set the appid explicitly, or in ${file}.`
  expect(found.problems).toMatchObject(appid === undefined ? [{ code: 'inference-failed', fix }] : [])
})
