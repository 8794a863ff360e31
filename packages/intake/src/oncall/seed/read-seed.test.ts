import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useDirectory } from '../../../../../test/support/directory.ts'
import { stringifyJson } from '../../platform/wire/int64.ts'
import { callIntake } from '../../test-support/calling.fixture.ts'
import { DEFAULT_SEED } from './default-seed.ts'
import { checkSeed, readSeed, SeedError } from './read-seed.ts'

const directory = useDirectory()

function seedFile(text: string, name = 'seed.yaml'): string {
  const path = join(directory, name)
  writeFileSync(path, text)
  return path
}

const YAML = `
accounts:
  - account_id: 7
    name: Seven
    members: [{ person_id: 9007199254740995, name: Zoe, role: member }]
    app_keys:
      - { key: zoes-app-key, person_id: 9007199254740995, permissions: [Datasources Read] }
    upload_keys: [zoes-upload-key]
    datasources:
      - { id: 18446744073709551615, type_ident: loki, name: L, address: a, payload: { basic_auth_password: hush } }
`

it('reads YAML and keeps every digit of 64-bit ids', async () => {
  const { intake, post } = await callIntake({ seed: await readSeed(seedFile(YAML)) })
  const { text } = await post('/monit/datasource/info', '{"id":18446744073709551615}', { key: 'zoes-app-key' })
  expect(text).toContain('"id":18446744073709551615,')
  expect(text).not.toContain('hush')
  expect((await post('/channel/list', {})).status).toBe(401)
  const created = await post(
    '/safari/automation/rule/create',
    { name: 'n', prompt: 'p', cron_expr: '* * * *' },
    { key: 'zoes-app-key' },
  )
  expect(created.text).toContain('"owner_id":9007199254740995,')
  expect(created.data.can_edit).toBe(true)
  await intake.close()
})

it('reads JSON, including the default seed', async () => {
  expect(await readSeed(seedFile(stringifyJson(DEFAULT_SEED), 'seed.json'))).toMatchObject({
    accounts: [{ account_id: 10023, datasources: [{ id: 10 }, { id: 9007199254740993n }] }, { account_id: 20046 }],
  })
  expect(await checkSeed(DEFAULT_SEED)).toBe(DEFAULT_SEED)
})

describe('an unusable seed', () => {
  const member = 'members: [{ person_id: 1, name: a, role: owner }]'
  const account = (more: string) => `accounts:\n  - account_id: 1\n    name: a\n    ${member}\n    ${more}`
  const key = (text: string, person: number, permissions = '[]') =>
    account(`app_keys: [{ key: ${text}, person_id: ${person}, permissions: ${permissions} }]`)
  const channel = (more: string, id = '1') => account(`channels: [{ channel_id: ${id}, channel_name: c${more} }]`)
  const rule = (cron: string, zone: string) =>
    account(
      `automation_rules: [{ rule_id: arule_1, owner_id: 1, name: n, prompt: p, cron_expr: "${cron}", timezone: ${zone} }]`,
    )
  const ID = 'a'.repeat(24)
  const ESCALATION = `escalation_rules: [{ channel_id: 5, rule_id: ${ID}, template_id: ${ID}, rule_name: r, layers: [{ target: {} }] }]`
  const ZONE = 'timezone is not valid: must match format "timezone"'
  it.each<[string, string, string]>([
    ['invalid YAML', 'accounts: [', ':1: the file is neither YAML nor JSON'],
    ['nothing', '', 'the seed is not valid'],
    ['missing accounts', 'accounts: []', 'accounts is not valid'],
    [
      'an unknown role',
      'accounts: [{ account_id: 1, name: a, members: [{ person_id: 1, name: a, role: king }] }]',
      'accounts[0].members[0].role must be owner, admin or member',
    ],
    ['an unknown permission', key('abcdefgh', 1, '[All]'), 'accounts[0].app_keys[0].permissions[0]'],
    ['a short key', key('abc', 1), 'accounts[0].app_keys[0].key'],
    ['a key of nobody', key('abcdefgh', 2), 'no member has the person_id 2'],
    ['a key twice', account('upload_keys: [abcdefgh, abcdefgh]'), 'the same key occurs twice'],
    [
      'a duplicate id',
      account('teams: [{ team_id: 1, name: a }, { team_id: 1, name: b }]'),
      'teams contains the same id twice',
    ],
    ['a rule without a channel', account(ESCALATION), 'channel not found: 5'],
    ['an account with an unknown time zone', account('timezone: Mars'), `accounts[0].${ZONE}`],
    [
      'a schedule with an unknown time zone',
      account('schedules: [{ schedule_id: 1, schedule_name: s, timezone: Mars }]'),
      `accounts[0].schedules[0].${ZONE}`,
    ],
    ['a rule with an unknown time zone', rule('* * * *', 'Mars'), `accounts[0].automation_rules[0].${ZONE}`],
    ['an id that is too large', channel('', '9223372036854775808'), 'accounts[0].channels[0].channel_id'],
    ['an unknown field', account('chanels: []'), 'accounts[0] contains the unknown field "chanels"'],
    [
      'an unknown field within',
      channel(', colour: red'),
      'accounts[0].channels[0] contains the unknown field "colour"',
    ],
    ['a channel of no team', channel(', team_id: 5'), 'accounts[0].channels[0]: team not found: 5'],
    [
      'a rule with an invalid cron expression',
      rule('* * * * *', 'UTC'),
      'accounts[0].automation_rules[0] (arule_1): The specified parameter cron_expr is not valid.',
    ],
    [
      'an escalation that notifies nobody',
      account(`channels: [{ channel_id: 5, channel_name: c }]\n    ${ESCALATION}`),
      'accounts[0].escalation_rules[0] (aaaaaaaaaaaaaaaaaaaaaaaa): The specified parameter layers[0].target',
    ],
  ])('refuses a seed with %s', async (_, text, words) => {
    const error = await readSeed(seedFile(text)).catch((thrown: Error) => thrown)
    expect(error).toBeInstanceOf(SeedError)
    expect((error as Error).message).toContain(words)
    expect((error as Error).message).toContain(`${join(directory, 'seed.yaml')}:`)
    // The program that shows the message adds the full stop.
    expect((error as Error).message).not.toMatch(/\.$/)
    expect((error as Error).message).not.toContain('abcdefgh')
  })

  it('refuses a seed file that does not exist', async () => {
    await expect(readSeed(join(directory, 'none.yaml'))).rejects.toThrow('none.yaml cannot be read (ENOENT)')
  })
})
