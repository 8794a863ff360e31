// One of the two that are compared, in a process of its own: `intake` or `bare`. Prints its address.
import Fastify from 'fastify'
import { type IntakeOptions, startIntake } from '../../../packages/intake/src/index.ts'

export const APP_KEY = 'bench-app-key'
export const BODY = JSON.stringify({ p: 1, limit: 20, orderby: 'created_at', asc: false })
export const LIST = `/channel/list?app_key=${APP_KEY}`

const CHANNELS = 40

const seed: IntakeOptions['seed'] = {
  accounts: [
    {
      account_id: 1,
      name: 'Bench',
      teams: [{ team_id: 1, name: 'Team' }],
      members: [{ person_id: 1, name: 'Member', role: 'admin', team_ids: [1] }],
      app_keys: [{ key: APP_KEY, person_id: 1, permissions: [] }],
      channels: Array.from({ length: CHANNELS }, (_, nth) => ({
        channel_id: 1000 + nth,
        channel_name: `Channel ${nth}`,
        description: 'Alerts of a service in production',
        team_id: 1,
        created_at: 1767603600 + nth,
        updated_at: 1767603600 + nth,
      })),
    },
  ],
}

if (process.argv[2] === 'intake') {
  process.on('SIGINT', () => process.exit(0))
  // The limiter counts, with limits that are out of reach.
  const { url } = await startIntake({ seed, rateLimits: { perSecond: 1e9, perMinute: 1e9 } })
  console.log(url)
} else if (process.argv[2] === 'bare') {
  const answer = JSON.parse(process.argv[3] ?? '{}')
  const app = Fastify()
  app.post('/channel/list', async () => answer)
  console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
}
