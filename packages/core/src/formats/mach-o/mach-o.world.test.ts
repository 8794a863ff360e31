import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { needs } from '../../../../../test/support/tool.ts'
import { readMachO } from './mach-o.ts'

const SAMPLES = resolve(import.meta.dirname, '../../../../../fixtures/symbols/apple')
const FILES = [
  'Shop.framework.dSYM/Contents/Resources/DWARF/Shop',
  'shop-arm64.dylib.dSYM/Contents/Resources/DWARF/shop-arm64.dylib',
  'more/shop-macx64.dylib.dSYM/Contents/Resources/DWARF/shop-macx64.dylib',
  'more/Shop-fat64',
  'more/Shop.stripped',
  'more/no-uuid.dylib',
]

const dwarfdump = needs('llvm-dwarfdump', spawnSync('llvm-dwarfdump', ['--version']).status === 0, 'Debian: llvm')

describe.skipIf(!dwarfdump.isThere)(`Mach-O files compared with llvm-dwarfdump --uuid${dwarfdump.reason}`, () => {
  it.each(FILES)('finds the same UUIDs in %s', async (name) => {
    const { stdout } = spawnSync('llvm-dwarfdump', ['--uuid', join(SAMPLES, name)], { encoding: 'utf8' })
    const theirs = [...stdout.matchAll(/^UUID: (\S+) \((\S+)\)/gm)].map(([, uuid, arch]) => `${arch} ${uuid}`)
    const ours = (await readMachO(join(SAMPLES, name))).filter(({ uuid }) => uuid !== undefined)
    expect(ours.map(({ arch, uuid }) => `${arch} ${uuid}`)).toEqual(theirs)
  })
})
