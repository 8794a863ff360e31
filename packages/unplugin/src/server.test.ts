import { expect, it } from 'vitest'
import { placeOfServer, serverOf, serverProblems } from './server.ts'

it.each([
  [{}, undefined],
  [{ server: false }, undefined],
  [{ serverOutputs: false }, undefined],
  [{ server: true }, {}],
  [{ serverOutputs: true }, {}],
  [{ server: { service: 'shop-ssr' } }, { service: 'shop-ssr' }],
  // If both names of the option are set, the newer one takes precedence.
  [{ server: false, serverOutputs: true }, undefined],
])('%j uploads server code with %j', (options, server) => {
  expect(serverOf(options)).toEqual(server)
})

it.each([
  [true, { minifiedPathPrefix: '/work/my%20shop/dist/server' }],
  [
    { service: 'ssr', minifiedPathPrefix: '/app/dist' },
    { service: 'ssr', minifiedPathPrefix: '/app/dist' },
  ],
  // Stacks of ES modules contain file URLs like this.
  [{ minifiedPathPrefix: 'file:///app/dist' }, { minifiedPathPrefix: 'file:///app/dist' }],
])('with server: %j uses the location %j', (server, place) => {
  expect(placeOfServer({ server }, '/work/my shop/dist/server')).toEqual(place)
})

it.each([
  ['/vercel/path0/.next', '/vercel/path0', '/var/task/.next'],
  [
    '/vercel/path1/apps/shop/.svelte-kit/output/server',
    '/vercel/path1',
    '/var/task/apps/shop/.svelte-kit/output/server',
  ],
  ['/vercel/path1/shop/dist/server', '/vercel/path1/shop', '/var/task/dist/server'],
  ['/vercel/path0/apps/shop/dist', 'none', '/var/task/apps/shop/dist'],
  ['/opt/build/repo/build/server', '/opt/build/repo', '/var/task/build/server'],
  ['/opt/build/repository/dist', 'none', '/opt/build/repository/dist'],
  ['/work/shop/.vercel/output/functions/__fallback.func', '/work/shop', '/var/task'],
  ['/vercel/path0/.vercel/output/functions/api/[id].func/chunks', '/vercel/path0', '/var/task/chunks'],
])(
  'expects a server that a host built in %s, with the lockfile in %s, to run at %s',
  (directory, root, minifiedPathPrefix) => {
    const exists = (path: unknown) => path === `${root}/pnpm-lock.yaml`
    expect(placeOfServer({ server: true }, directory, exists)).toEqual({ minifiedPathPrefix })
  },
)

it('refuses a prefix that no stack can contain, before the build', () => {
  expect(serverProblems({ server: { minifiedPathPrefix: 'dist/server' } })).toMatchObject([
    { code: 'prefix-invalid', message: expect.stringContaining('the server.minifiedPathPrefix option') },
  ])
  expect(serverProblems({ server: { minifiedPathPrefix: 'file:///app' } })).toEqual([])
  expect(serverProblems({ server: true })).toEqual([])
})

it('refuses an empty service under either name of the option', () => {
  for (const options of [{ server: { service: '' } }, { serverOutputs: { service: '' } }])
    expect(serverProblems(options)).toMatchObject([
      { code: 'value-invalid', message: 'The server.service option is empty.' },
    ])
  expect(
    serverProblems({ server: { service: '', minifiedPathPrefix: 'x' } }).map(({ message, fix }) => [message, fix]),
  ).toEqual([
    ['The server.service option is empty.', expect.any(String)],
    [
      'The minified path prefix "x" in the server.minifiedPathPrefix option is invalid.',
      'Use the absolute path of the directory on the server, such as /app/dist/server.',
    ],
  ])
})
