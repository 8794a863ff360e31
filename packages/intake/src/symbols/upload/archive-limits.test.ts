import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type CraftedEntry, writeZip } from '../../../../../test/support/crafted-zip.ts'
import { useCaller } from '../../test-support/calling.fixture.ts'

const caller = useCaller({ limits: { inflatedBytes: 1024 * 1024 } })
const { dataDir } = caller

const image = (name: string) => `${name}.dSYM/Contents/Resources/DWARF/${name}`

async function answerTo(entries: CraftedEntry[], event: object = {}) {
  const path = join(dataDir, 'a.zip')
  writeZip(path, { entries })
  return caller.upload({ type: 'ios_symbols', ...event }, { symbols_archive: readFileSync(path) })
}

async function refusalOf(...upload: Parameters<typeof answerTo>) {
  const answer = await answerTo(...upload)
  expect(await caller.intake.uploads()).toEqual([])
  expect(readdirSync(join(dataDir, 'incoming'))).toEqual([])
  return answer
}

it.each<{ uuids: unknown }>([{ uuids: '' }, { uuids: [] }, { uuids: ' , ' }])(
  'accepts a dSYM archive whose event names no UUID: %j',
  async ({ uuids }) => {
    expect(await answerTo([{ name: image('App'), content: machO() }], { uuids })).toMatchObject({ status: 200 })
  },
)

it('lists a dSYM by its UUID', async () => {
  await answerTo([{ name: image('App'), content: machO(Buffer.alloc(16, 0xab)) }])
  const range = { start_time: Date.now() - 60_000, end_time: Date.now() + 60_000 }
  const totalOf = async (uuid: string) =>
    (await caller.post('/sourcemap/list', { ...range, type: 'ios', uuid })).data.total
  const counts = [
    await totalOf('ABABABAB-ABAB-ABAB-ABAB-ABABABABABAB'),
    await totalOf('abababab-abab'),
    await totalOf('abababababababababababababababab'),
    await totalOf('b0b0'),
  ]
  expect(counts).toEqual([1, 1, 1, 0])
})

it.each<{ uuids: unknown }>([
  { uuids: 'x' },
  { uuids: ['x'] },
  { uuids: 'x,' },
  { uuids: 5 },
  { uuids: {} },
  { uuids: [[]] },
  // JavaScript cannot convert these values to strings.
  { uuids: { toString: 1, valueOf: 1 } },
  { uuids: [{ toString: 1, valueOf: 1 }] },
])('refuses a dSYM archive whose event names an invalid UUID: %j', async ({ uuids }) => {
  expect(await refusalOf([{ name: image('App'), content: machO() }], { uuids })).toMatchObject({
    status: 400,
    message: expect.stringContaining('event.uuids'),
  })
})

it('refuses a dSYM archive that inflates beyond the limit, and keeps nothing from it', async () => {
  const content = Buffer.alloc(2 * 1024 * 1024)
  content.writeUInt32BE(0xcffaedfe)
  expect(await refusalOf([{ name: image('App'), content }])).toMatchObject({
    status: 413,
    code: 'EntityTooLarge',
  })
})

it('refuses a dSYM archive with more than a thousand images', async () => {
  const entries = Array.from({ length: 1001 }, (_, nth) => ({ name: image(`A${nth}`) }))
  expect(await refusalOf(entries)).toMatchObject({
    status: 413,
    message: 'The archive contains more than 1000 images. Upload several archives.',
  })
})

/** The smallest file that counts as having debug information: a UUID and a section named `__debug_info`. */
function machO(uuid = randomBytes(16)): Buffer {
  const file = Buffer.alloc(224)
  file.writeUInt32LE(0xfeedfacf, 0)
  file.writeUInt32LE(0x0100000c, 4)
  file.writeUInt32LE(10, 12)
  file.writeUInt32LE(2, 16)
  file.writeUInt32LE(176, 20)
  file.writeUInt32LE(0x1b, 32)
  file.writeUInt32LE(24, 36)
  uuid.copy(file, 40)
  file.writeUInt32LE(0x19, 56)
  file.writeUInt32LE(152, 60)
  file.write('__DWARF', 64)
  file.writeBigUInt64LE(16n, 104)
  file.writeUInt32LE(1, 120)
  file.write('__debug_info', 128)
  file.write('__DWARF', 144)
  file.writeBigUInt64LE(16n, 168)
  file.writeUInt32LE(208, 176)
  return file
}
