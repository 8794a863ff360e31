import { expect, it } from 'vitest'
import { placeOfServer, serverOf, serverProblems } from './server.ts'

it.each([
  [{}, undefined],
  [{ server: false }, undefined],
  [{ serverOutputs: false }, undefined],
  [{ server: true }, {}],
  [{ serverOutputs: true }, {}],
  [{ server: { service: 'shop-ssr' } }, { service: 'shop-ssr' }],
  // The newer name counts.
  [{ server: false, serverOutputs: true }, undefined],
])('%j uploads what runs on a server as %j', (options, server) => {
  expect(serverOf(options)).toEqual(server)
})

it.each([
  [true, { minifiedPathPrefix: '/work/my%20shop/dist/server' }],
  [
    { service: 'ssr', minifiedPathPrefix: '/app/dist' },
    { service: 'ssr', minifiedPathPrefix: '/app/dist' },
  ],
  // As the stacks of ESM have it.
  [{ minifiedPathPrefix: 'file:///app/dist' }, { minifiedPathPrefix: 'file:///app/dist' }],
])('with server: %j it runs at %j', (server, place) => {
  expect(placeOfServer({ server }, '/work/my shop/dist/server')).toEqual(place)
})

it.each([
  ['/vercel/path0/.next', '/var/task/.next'],
  ['/vercel/path1/apps/shop/.svelte-kit/output/server', '/var/task/apps/shop/.svelte-kit/output/server'],
  ['/opt/build/repo/build/server', '/var/task/build/server'],
  ['/work/shop/.vercel/output/functions/__fallback.func', '/var/task'],
  ['/vercel/path0/.vercel/output/functions/api/[id].func/chunks', '/var/task/chunks'],
  ['/opt/build/repository/dist', '/opt/build/repository/dist'],
])('built by a host in %s, it runs at %s', (directory, minifiedPathPrefix) => {
  expect(placeOfServer({ server: true }, directory)).toEqual({ minifiedPathPrefix })
})

it('refuses a prefix that no stack can have, before the build', () => {
  expect(serverProblems({ server: { minifiedPathPrefix: 'dist/server' } })).toMatchObject([
    { code: 'prefix-invalid', message: expect.stringContaining('option server.minifiedPathPrefix') },
  ])
  expect(serverProblems({ server: { minifiedPathPrefix: 'file:///app' } })).toEqual([])
  expect(serverProblems({ server: true })).toEqual([])
})

it('refuses an empty service, under either name of the option', () => {
  for (const options of [{ server: { service: '' } }, { serverOutputs: { service: '' } }])
    expect(serverProblems(options)).toMatchObject([
      { code: 'value-invalid', message: 'The option "server.service" is empty.' },
    ])
  expect(
    serverProblems({ server: { service: '', minifiedPathPrefix: 'x' } }).map(({ message, fix }) => [message, fix]),
  ).toEqual([
    ['The option "server.service" is empty.', expect.any(String)],
    [
      'The minified path prefix "x" (option server.minifiedPathPrefix) cannot be used.',
      'Use the absolute path of the directory on the server, such as /app/dist/server.',
    ],
  ])
})
