import { expect, it } from 'vitest'
import { cpuSeconds } from '../../../../../test/support/cpu-seconds.ts'
import { binaryOf } from '../binary.ts'
import { describeElf } from './elf.ts'
import { elf } from './elf-sections.fixture.ts'

const NOTE = 7

it('reads many sections that share an unterminated name or the same notes in linear time', async () => {
  const many = 3000
  const file = elf(64, true, [
    { name: 'a'.repeat(1_000_000) },
    ...Array.from({ length: many }, () => ({ name: '', type: NOTE })),
    { name: '.notes', type: NOTE, bytes: '000000000000000001000000'.repeat(5461) },
  ])
  const headers = Number(file.readBigUInt64LE(40))
  const [longName, notes] = [file.readUInt32LE(headers + 64), headers + 64 * (many + 2)]
  for (let at = headers + 128; at < notes; at += 64) {
    file.writeUInt32LE(longName, at)
    file.copy(file, at + 24, notes + 24, notes + 40)
  }
  // Both tests took minutes with 65,536 sections, the maximum in a file, and blocked the intake's event loop.
  expect(await cpuSeconds(() => describeElf(binaryOf(file)))).toBeLessThan(0.5)
})
