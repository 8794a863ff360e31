import { afterEach, expect, it } from 'vitest'
import { useDirectory } from '../../../../../test/support/directory.ts'
import { openTestIntake, type TestIntake } from '../../testing.ts'
import { DEFAULT_SEED } from '../seed/default-seed.ts'

const dataDir = useDirectory('each')
let open: TestIntake[] = []
afterEach(async () => {
  for (const intake of open) await intake.close()
  open = []
})

async function start(named: string): Promise<TestIntake> {
  const seed = structuredClone(DEFAULT_SEED)
  Object.assign(seed.accounts[0]?.channels?.find(({ channel_id }) => channel_id === 1001) ?? {}, {
    channel_name: named,
  })
  const intake = await openTestIntake({ dataDir, seed, listen: false })
  open.push(intake)
  return intake
}

const nameIn = async (intake: TestIntake) =>
  (await intake.call('/channel/info', { channel_id: 1001 })).data.channel_name

it('an intake sees what the seed of another changes in a shared database, even after its own change', async () => {
  const first = await start('Before')
  expect(await nameIn(first)).toBe('Before')
  await start('After')
  await first.call('/channel/create', { team_id: 123, channel_name: 'Own' })
  expect(await nameIn(first)).toBe('After')
  await start('At last')
  expect(await nameIn(first)).toBe('At last')
})

it('an intake sees that another was reset to its seed', async () => {
  const first = await start('Seeded')
  const second = await start('Seeded')
  await first.call('/channel/update', { channel_id: 1001, channel_name: 'Renamed' })
  expect(await nameIn(second)).toBe('Renamed')
  await first.reset()
  await first.call('/channel/create', { team_id: 123, channel_name: 'Own' })
  expect(await nameIn(second)).toBe('Seeded')
})
