import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { appidOf } from './project.ts'

it.each([
  ['.ttml', { 'dist/project.config.json': 'testAppId', 'project.tt.json': 'tt1' }, 'tt1', ''],
  [
    '.ttml',
    { 'dist/project.config.json': 'testAppId', 'project.tt.json': '' },
    undefined,
    ', or add the appid to project.tt.json',
  ],
  ['.axml', {}, undefined, ''],
])("'auto' never uses the appid from WeChat's template project in %s", async (extension, files, appid, where) => {
  const directory = mkdtempSync(join(tmpdir(), 'symup-appid-'))
  mkdirSync(join(directory, 'dist'))
  for (const [file, written] of Object.entries({ ...files, 'project.config.json': 'wx1' }))
    writeFileSync(join(directory, file), JSON.stringify({ appid: written, miniprogramRoot: 'dist' }))
  writeFileSync(join(directory, 'dist/app.json'), '{"pages":[]}')
  writeFileSync(join(directory, `dist/base${extension}`), '')
  const found = await appidOf('auto', [join(directory, 'dist'), directory])
  expect(found.appid).toBe(appid)
  expect(found.problems.map(({ fix }) => fix)).toEqual(appid === undefined ? [`Set the appid explicitly${where}.`] : [])
})

it.each([
  ['project.config.json', 'wx1', 'wx1'],
  ['mini.project.json', '2021003131655821', '2021003131655821'],
  ['project.config.json', '', undefined],
  // The placeholder that uni-app and Taro write without an appid. The running app reports another one.
  ['project.config.json', 'touristappid', undefined],
  ['project.config.json', 'testAppId', undefined],
  ['mini.project.json', '', undefined],
])("'auto' uses the appid in %s, %j, unless it belongs to a guest", async (file, written, appid) => {
  const directory = mkdtempSync(join(tmpdir(), 'symup-appid-'))
  writeFileSync(join(directory, file), JSON.stringify({ appid: written }))
  const found = await appidOf('auto', [directory])
  expect(found.appid).toBe(appid)
  const fix = `Set the appid explicitly, or add the appid to ${file}.`
  expect(found.problems).toMatchObject(appid === undefined ? [{ code: 'inference-failed', fix }] : [])
})
