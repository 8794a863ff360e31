import { expect, it } from 'vitest'
import { startIntake } from './index.ts'

const ask = async (url: string, path: string) => (await fetch(`${url}${path}`, { method: 'POST' })).status

it('serves the requested rooms, and creates the tables of all rooms', async () => {
  const intake = await startIntake({ rooms: ['symbols', 'inspector'] })
  try {
    const { paths } = (await (await fetch(`${intake.url}/openapi.json`)).json()) as { paths: object }
    expect(Object.keys(paths)).toEqual(['/sourcemap/list', '/sourcemap/stack/enrich'])
    for (const path of ['/channel/list?app_key=dev-app-key', '/__test/reset?app_key=dev-app-key'])
      expect(await ask(intake.url, path)).toBe(404)
    expect(await ask(intake.url, '/sourcemap/upload')).toBe(401)
    expect((await fetch(`${intake.url}/inspector/api/operations`)).status).toBe(404)
    expect(await intake.uploads()).toEqual([])
    await intake.fireDue()
  } finally {
    await intake.close()
  }
})

it('refuses a room without another room that it needs', async () => {
  const refused = startIntake({ rooms: ['inspector'] })
  await expect(refused).rejects.toThrow('The room inspector needs the room symbols.')
})

it('refuses an upload fault if no room accepts uploads', async () => {
  const refused = startIntake({ rooms: ['oncall'], fault: '500' })
  await expect(refused).rejects.toThrow('No operation uses the route /sourcemap/upload')
})

it('counts the on-call operations as used after the first call, not because the seed contains an incident', async () => {
  const intake = await startIntake()
  try {
    const isUsed = async () => {
      const answer = await fetch(`${intake.url}/inspector/api/operations`)
      return ((await answer.json()) as { data: { isUsed: boolean } }).data.isUsed
    }
    expect(await isUsed()).toBe(false)
    const request = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }
    await fetch(`${intake.url}/channel/list?app_key=dev-app-key`, request)
    expect(await isUsed()).toBe(true)
  } finally {
    await intake.close()
  }
})
