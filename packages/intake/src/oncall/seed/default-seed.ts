import { PERMISSIONS } from '../../platform/accounts/seeded-account.ts'
import type { Seed } from './seed.ts'

const NOW = Date.UTC(2026, 0, 5, 9) / 1000
const HOUR = 3600

/**
 * The default seed contains two accounts for testing permissions, teams and account isolation. `dev-api-key` is the upload key.
 * `dev-app-key` belongs to an admin with all permissions, `dev-member-app-key` to a member without permissions, and `other-app-key` to an
 * admin of the other account.
 */
export const DEFAULT_SEED: Seed = {
  accounts: [
    {
      account_id: 10023,
      name: 'Example',
      audit_retention_days: 90,
      teams: [
        { team_id: 123, name: 'Platform' },
        { team_id: 124, name: 'Payments' },
        { team_id: 125, name: 'Mobile', description: 'Nothing belongs to it' },
      ],
      members: [
        { person_id: 80011, name: 'Alice', role: 'admin', email: 'alice@example.com', team_ids: [123] },
        { person_id: 80012, name: 'Bob', role: 'member', email: 'bob@example.com', team_ids: [124] },
        { person_id: 80013, name: 'Carol', role: 'owner', email: 'carol@example.com' },
      ],
      app_keys: [
        { key: 'dev-app-key', person_id: 80011, permissions: [...PERMISSIONS] },
        { key: 'dev-member-app-key', person_id: 80012, permissions: [] },
      ],
      upload_keys: ['dev-api-key'],
      channels: [
        channel(1001, 'Production Alerts', { team_id: 123, starred_by: [80011], last_incident_at: NOW + 300 }),
        channel(1002, 'Payments', { team_id: 124, active_incident_highest_severity: 'Critical' }),
        channel(1003, 'Staging', { team_id: 123, status: 'disabled', description: 'Nobody is woken by this one' }),
        channel(1004, 'Payments, audited', { team_id: 124, is_private: true, managing_team_ids: [124] }),
        channel(456, 'On-call', {
          team_id: 123,
          managing_team_ids: [124],
          active_incident_highest_severity: 'Warning',
        }),
      ],
      schedules: [
        {
          schedule_id: 2001,
          schedule_name: 'Platform, week by week',
          team_id: 123,
          description: 'Hands over on Monday at nine',
          create_at: NOW,
          create_by: 80011,
          layers: [
            {
              layer_name: 'Primary',
              layer_start: NOW,
              rotation_unit: 'week',
              rotation_value: 1,
              handoff_time: 9 * HOUR,
              groups: [
                { group_name: 'A', members: [{ role_id: 1, person_ids: [80011] }] },
                { group_name: 'B', members: [{ role_id: 1, person_ids: [80013] }] },
              ],
            },
          ],
          notify: {
            advance_in_time: 300,
            fixed_time: { cycle: 'day', start: '09:00' },
            by: { follow_preference: false, personal_channels: ['email'] },
            webhooks: [
              { type: 'feishu_app', settings: { token: 'secret-token', alias: 'team', sign_secret: 'secret' } },
            ],
          },
        },
        {
          schedule_id: 2002,
          schedule_name: 'Payments, office hours',
          team_id: 124,
          layers: [
            {
              layer_name: 'Office',
              layer_start: NOW,
              rotation_unit: 'day',
              rotation_value: 1,
              handoff_time: 0,
              restrict_mode: 1,
              restrict_start: 9 * HOUR,
              restrict_end: 18 * HOUR,
              day_mask: { repeat: [1, 2, 3, 4, 5] },
              groups: [
                { group_name: 'Bob', members: [{ role_id: 1, person_ids: [80012] }] },
                { group_name: 'Carol', members: [{ role_id: 1, person_ids: [80013] }] },
              ],
            },
          ],
        },
        { schedule_id: 2003, schedule_name: 'Empty', description: 'abc' },
      ],
      datasources: [
        {
          id: 10,
          type_ident: 'prometheus',
          name: 'Prometheus Prod',
          note: 'Production Prometheus',
          address: 'http://prometheus.example.com:9090',
          payload: {
            basic_auth_enabled: true,
            basic_auth_username: 'reader',
            basic_auth_password: 'secret-password',
            tls_skip_verify: false,
          },
          updated_at: NOW,
        },
        {
          id: 9007199254740993n,
          type_ident: 'mysql',
          name: 'Orders',
          address: 'mysql.example.com:3306',
          payload: { username: 'reader', password: 'secret-password', open_conns: 4 },
          updated_at: NOW,
        },
      ],
      escalation_rules: [
        {
          channel_id: 1001,
          rule_id: '6621b23f4a2c5e0012ab34d0',
          template_id: '6621b23f4a2c5e0012ab34d1',
          rule_name: 'Default',
          layers: [
            {
              max_times: 1,
              notify_step: 10,
              target: { person_ids: [80011], by: { follow_preference: true }, webhooks: null },
              escalate_window: 30,
              force_escalate: false,
            },
          ],
        },
      ],
      incidents: [
        {
          incident_id: '69da451ef77b1b51f40e83ee',
          channel_id: 1002,
          title: 'Payments fail',
          severity: 'Critical',
          start_time: NOW,
          person_ids: [80012],
        },
      ],
      automation_rules: [
        {
          rule_id: 'arule_7NnLzY2Qp8xS4kUaV3mR6b',
          owner_id: 80011,
          team_id: 123,
          name: 'Weekly on-call review',
          prompt: "Summarize last week's alert noise and escalation load.",
          cron_expr: '0 9 * * 1',
          timezone: 'Asia/Shanghai',
          enabled: true,
          schedule_trigger_enabled: true,
        },
        {
          rule_id: 'arule_3bHn5tC9wQe7Zk1Rm4Xs8d',
          owner_id: 80012,
          name: "Bob's morning",
          prompt: 'What happened in the night?',
          cron_expr: '8 * * *',
          enabled: true,
          schedule_trigger_enabled: false,
        },
      ],
    },
    {
      account_id: 20046,
      name: 'Other',
      teams: [{ team_id: 900, name: 'Other team' }],
      members: [{ person_id: 90001, name: 'Olga', role: 'admin', email: 'olga@example.com', team_ids: [900] }],
      app_keys: [{ key: 'other-app-key', person_id: 90001, permissions: [...PERMISSIONS] }],
      upload_keys: ['other-api-key'],
      channels: [channel(7001, 'Other alerts', { team_id: 900 })],
    },
  ],
}

type SeededChannel = NonNullable<Seed['accounts'][number]['channels']>[number]

function channel(channel_id: number, channel_name: string, rest: Partial<SeededChannel>): SeededChannel {
  return { channel_id, channel_name, created_at: NOW + channel_id, updated_at: NOW + channel_id, ...rest }
}
