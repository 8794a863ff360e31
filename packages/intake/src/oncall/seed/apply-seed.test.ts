import { expect, it } from 'vitest'
import { useDirectory } from '../../../../../test/support/directory.ts'
import type { Seed } from '../../index.ts'
import { callIntake } from '../../test-support/calling.fixture.ts'
import { DEFAULT_SEED } from './default-seed.ts'

const RULE = 'arule_7NnLzY2Qp8xS4kUaV3mR6b'
const ESCALATION = { channel_id: 1001, rule_id: '6621b23f4a2c5e0012ab34d0' }

const dataDir = useDirectory('each')

/** Starts an intake with a seed on the directory, and returns its rules after some changes. */
async function start(change: (account: Seed['accounts'][number]) => void, work: [string, object][] = []) {
  const seed = structuredClone(DEFAULT_SEED)
  change(seed.accounts[0] as Seed['accounts'][number])
  const { intake, post } = await callIntake({ dataDir, seed })
  for (const [path, body] of work) expect((await post(path, body)).status).toBe(200)
  const rule = await post('/safari/automation/rule/get', { rule_id: RULE })
  const escalation = await post('/channel/escalate/rule/info', ESCALATION)
  const runs = (await post('/safari/automation/run/list', {})).data.total
  await intake.close()
  return [rule.data?.name ?? rule.code, escalation.data?.rule_name ?? escalation.code, runs]
}

const same = () => undefined
const edited = (account: Seed['accounts'][number]) => {
  Object.assign(account.automation_rules?.[0] ?? {}, { name: 'Seeded anew' })
  Object.assign(account.escalation_rules?.[0] ?? {}, { rule_name: 'Anew' })
}
const emptied = (account: Seed['accounts'][number]) => {
  account.automation_rules = []
  account.escalation_rules = []
}

it('applies an entry once, so that later deletions and changes remain', async () => {
  const update = { ...ESCALATION, template_id: '6621b23f4a2c5e0012ab34d1', rule_name: 'Mine' }
  const layers = [{ target: { person_ids: [80011], by: { follow_preference: true } } }]
  expect(await start(same)).toEqual(['Weekly on-call review', 'Default', 0])
  await start(same, [
    ['/safari/automation/rule/update', { rule_id: RULE, name: 'Mine' }],
    ['/channel/escalate/rule/update', { ...update, layers }],
  ])
  expect(await start(same)).toEqual(['Mine', 'Mine', 0])
  await start(same, [['/safari/automation/rule/delete', { rule_id: RULE }]])
  expect(await start(same)).toEqual(['ResourceNotFound', 'Mine', 0])
})

it('applies a changed entry again completely, and keeps the runs of the rule', async () => {
  await start(same, [
    ['/safari/automation/rule/run', { rule_id: RULE }],
    ['/safari/automation/rule/update', { rule_id: RULE, name: 'Mine' }],
  ])
  expect(await start(edited)).toEqual(['Seeded anew', 'Anew', 1])
  expect(await start(edited)).toEqual(['Seeded anew', 'Anew', 1])
})

it('removes objects that a deleted entry created', async () => {
  await start(same)
  expect(await start(emptied)).toEqual(['ResourceNotFound', 'ResourceNotFound', 0])
  expect(await start(same)).toEqual(['Weekly on-call review', 'Default', 0])
})
