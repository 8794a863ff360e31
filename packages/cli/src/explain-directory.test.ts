import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { readElf } from '@symup/core/internal'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { explainFromDirectory } from './explain-directory.ts'

const BESIDE = resolve(import.meta.dirname, '../../../fixtures/symbols/beside')

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'symup-explain-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

/** A native stack with an address that is four functions deep. */
async function explain(line: (id: string) => string, platform: 'android' | 'harmony') {
  const { buildId = '' } = await readElf(join(directory, 'obj/libshop.so'))
  const question = { service: 'shop', version: '1', near: 0, platform, stack: line(buildId) }
  const { frames } = await explainFromDirectory(directory, '/', question)
  return frames
}

const ANDROID = (id: string) => `#00 pc 0000000000001090  /data/app/x/lib/x86_64/libshop.so (BuildId: ${id})`
const HARMONY = (id: string) => `#00 pc 0000000000001090 /data/storage/el1/bundle/libs/x86_64/libshop.so(${id})`

it.each([
  ['android', ANDROID],
  ['harmony', HARMONY],
] as const)('a native stack of %s is resolved with the library and the .dwp beside it', async (platform, line) => {
  cpSync(join(BESIDE, 'packed4'), join(directory, 'obj'), { recursive: true })
  const [frame] = await explain(line, platform)
  expect(frame?.reason).toBeUndefined()
  expect(frame?.resolved).toMatchObject({ line: 19, column: 19, inlined: [{ line: 15, column: 59 }, {}, {}] })
})

it('without its .dwp the frame says which file has the rest', async () => {
  cpSync(join(BESIDE, 'packed4/libshop.so'), join(directory, 'obj/libshop.so'))
  const [frame] = await explain(ANDROID, 'android')
  expect(frame?.resolved).not.toHaveProperty('line')
  expect(frame?.reason).toMatchObject({
    code: 'split-debug-info',
    message: expect.stringContaining('packed4/part1.dwo, which is not at hand'),
  })
})
