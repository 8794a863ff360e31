import { describe, expect, it, vi } from 'vitest'
import { event, MAP, map, multipart, script, UploadTests } from './upload.fixture.ts'

const tests = new UploadTests()

describe('operations on uploads', () => {
  it('lists uploads in the form that the contract defines', async () => {
    await tests.post(multipart([event({ git_commit_sha: 'abc' }), map, script]))
    await tests.post(multipart([event({ service: 'Écran' }), map, script]))
    const now = Date.now()
    const range = { start_time: now - 60_000, end_time: now + 60_000 }
    const { data } = await tests.caller.post('/sourcemap/list', {
      ...range,
      type: 'browser',
      services: ['s'],
      query: 'a.js',
    })
    expect(data.total).toBe(1)
    expect(data.items[0]).toMatchObject({
      key: 'browser/s/1/cdn/x/a.js',
      type: 'browser',
      service: 's',
      version: '1',
      git_commit_sha: 'abc',
      size: MAP.length + 7,
    })
    expect(Math.abs(data.items[0].created_at * 1000 - now)).toBeLessThan(5000)
    // The same script on two hosts counts as two files, each with its own key.
    await tests.post(multipart([event({ minified_url: 'https://other/x/a.js' }), map, script]))
    await tests.post(multipart([event({ minified_url: '/x/a.js' }), map, script]))
    const all = (await tests.caller.post('/sourcemap/list', { ...range, services: ['s'] })).data
    const keys = all.items.map(({ key }: { key: string }) => key).sort()
    expect(keys).toEqual(['browser/s/1/cdn/x/a.js', 'browser/s/1/other/x/a.js', 'browser/s/1/x/a.js'])
    const found = (await tests.caller.post('/sourcemap/list', { ...range, query: 'ÉcRAN' })).data
    expect(found).toMatchObject({ total: 1, items: [{ service: 'Écran' }] })
    for (const filter of [
      { type: 'ios' },
      { services: ['x'] },
      { query: '%' },
      { versions: ['9'] },
      { start_time: now + 50_000 },
    ]) {
      expect((await tests.caller.post('/sourcemap/list', { ...range, ...filter })).data.total).toBe(0)
    }
  })

  it('enriches a stack or returns the reason', async () => {
    await tests.post(multipart([event(), map, script]))
    const stack =
      'Error: x\n    at f (https://cdn/x/a.js:1:1)\n    at g (https://cdn/y/a.js:1:1)\n    at node:internal/x:1:2'
    const { data } = await tests.caller.post('/sourcemap/stack/enrich', {
      service: 's',
      version: '1',
      stack,
      near: 1,
      unknown: true,
    })
    expect(data.frames).toMatchObject([
      {
        file: 'a.ts',
        line: 1,
        column: 1,
        converted: true,
        code_snippets: [{ line: 1, code: 'throw 1' }, { line: 2 }],
        original_frame: { function: 'f', file: 'https://cdn/x/a.js' },
      },
      { converted: false, reason: { code: 'prefix-mismatch' } },
      { converted: false, third_party: true, reason: { code: 'not-a-project-frame' } },
    ])
  })

  it.each([0, -1])(
    'lists the default number of uploads if the limit is %i, for which the contract has no minimum',
    async (limit) => {
      for (const name of Array.from({ length: 21 }, (_, nth) => `${nth}.js`))
        await tests.post(multipart([event({ minified_url: `/${name}` }), map]))
      const { data } = await tests.caller.post('/sourcemap/list', {
        start_time: Date.now() - 60_000,
        end_time: Date.now() + 60_000,
        limit,
      })
      expect([data.total, data.items.length]).toEqual([21, 20])
    },
  )

  it('lists the fields of the commit without the secrets in its URL', async () => {
    const fields = [
      { name: 'git_repository_url', content: 'https://me:secret@git.example.com/shop' },
      { name: 'git_commit_sha', content: 'abc' },
    ]
    await tests.post(multipart([event(), map, ...fields]))
    const range = { start_time: Date.now() - 60_000, end_time: Date.now() + 60_000 }
    expect((await tests.caller.post('/sourcemap/list', range)).data.items).toMatchObject([
      { git_commit_sha: 'abc', git_repository_url: 'https://me:***@git.example.com/shop' },
    ])
  })

  it('sorts by the time of the first upload or the last', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    for (const name of ['a', 'b', 'a']) {
      await tests.post(multipart([event({ minified_url: `/${name}.js` }), map]))
      vi.setSystemTime(Date.now() + 5)
    }
    vi.useRealTimers()
    const range = { start_time: Date.now() - 60_000, end_time: Date.now() + 60_000 }
    const listed = async (order: object) =>
      (await tests.caller.post('/sourcemap/list', { ...range, ...order })).data.items.map(({ key }: { key: string }) =>
        key.at(-4),
      )
    expect(await listed({})).toEqual(['b', 'a'])
    expect(await listed({ orderby: 'updated_at' })).toEqual(['a', 'b'])
    expect(await listed({ orderby: 'updated_at', asc: true })).toEqual(['b', 'a'])
  })
})
