import { expect, it } from 'vitest'
import { outputOf } from '../output.ts'
import { isServerBuild, LeftAlone, runsOnServer } from './vite-config.ts'

it.each([
  [{ environment: { name: 'ssr', config: { consumer: 'server' } } }, { ssr: false }, true],
  // If one instance serves all environments, the config may belong to another environment.
  [{ environment: { name: 'client', config: { consumer: 'client' } } }, { ssr: true }, false],
  [{}, { ssr: true }, true],
  [{}, { ssr: 'src/server.js' }, true],
  [{}, { ssr: false }, false],
] as const)('decides whether %j with build %j runs on a server: %s', (context, build, expected) => {
  const config = { build } as unknown as Parameters<typeof runsOnServer>[1]
  expect(runsOnServer(context, config, [])).toBe(expected)
})

it.each<[object, boolean]>([
  [{}, false],
  [{ build: { ssr: true } }, true],
  [{ build: { ssr: 'src/server.ts' } }, true],
  [{ build: { ssr: true }, builder: {}, environments: { client: {} } }, false],
  [{ build: { ssr: true }, builder: {} }, true],
  [{ build: { ssr: true }, environments: { client: {} } }, true],
])('decides whether the config %j belongs to a server: %s', (config, expected) =>
  expect(isServerBuild(config)).toBe(expected),
)

it('reports once which files were not uploaded, except those that became deployed pages', () => {
  const told: string[] = []
  const log = ({ text }: { text: string }) => void told.push(text)
  const leftAlone = new LeftAlone()
  leftAlone.add('/app/dist/server', '/app')
  leftAlone.add('/app/static', '/app')
  leftAlone.tell(log, [outputOf('/app/static')])
  leftAlone.add('/app/dist/server', '/app')
  leftAlone.tell(log)
  expect(told).toEqual([
    'dist/server runs on a server and is not uploaded. To also upload server code, set server: true.',
  ])
})
