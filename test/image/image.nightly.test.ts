import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { DEFAULT_SEED } from '@symup/intake'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { post, upload } from '../../packages/intake/src/test-support/client.fixture.ts'
import { postgresPrograms, startPostgres } from '../../packages/intake/src/test-support/postgres.fixture.ts'
import { startS3 } from '../../packages/intake/src/test-support/s3.fixture.ts'
import { ROOT } from '../support/build-fixture.ts'
import { useDirectory } from '../support/directory.ts'
import { freePort } from '../support/server.ts'
import { build, type Image, start, whyNoRoots } from './clean-root.ts'
import { stagesOf } from './dockerfile.ts'

const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
const compose = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8'), { merge: true })

interface Service {
  build?: string
  command?: string[]
  environment?: Record<string, string>
  volumes?: string[]
  tmpfs?: string[]
  read_only?: boolean
  healthcheck?: object
  depends_on?: Record<string, { condition: string }> | string[]
}

const services = compose.services as Record<string, Service>
const reason = whyNoRoots()

describe.skipIf(reason !== '')(`the image from the Dockerfile, built without an engine${reason}`, () => {
  const place = useDirectory()
  let image: Image
  let data: string

  beforeAll(async () => {
    const built = new Map<string, Image>()
    for (const [nth, steps] of stagesOf(dockerfile).entries()) {
      image = await build(steps, join(place, String(nth)), built)
      const name = / AS (\w+)$/.exec(steps[0]?.text ?? '')?.[1]
      if (name !== undefined) built.set(name, image)
    }
    data = join(place, 'data')
    mkdirSync(data)
    writeFileSync(join(data, 'seed.yaml'), stringify(DEFAULT_SEED))
    chownSync(data, 1000, 1000)
  }, 900_000)

  /** Uses a free port, because the image's own port may be in use. */
  const listen = async (command: string[], binds: Record<string, string>, env = {}) => {
    const port = await freePort()
    const child = start(image, [...image.entrypoint, ...command, '--port', String(port)], binds, env)
    const [line] = await Promise.race([
      once(createInterface(child.stdout as NodeJS.ReadableStream), 'line'),
      text(child.stderr as NodeJS.ReadableStream).then((output) => {
        throw new Error(output)
      }),
    ])
    expect(line).toBe(`symup intake listening on http://0.0.0.0:${port}`)
    return { child, port, url: `http://127.0.0.1:${port}` }
  }
  const end = async (child: ChildProcess) => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    return (await ended)[0] as number
  }

  it('contains only the published packages', () => {
    const installed = join(image.root, image.workdir, 'node_modules')
    expect(readdirSync(join(image.root, image.workdir)).sort()).toEqual([
      'node_modules',
      'package-lock.json',
      'package.json',
    ])
    for (const name of ['symup', '@symup/intake', '@symup/symbolicate']) {
      expect(readdirSync(join(installed, name))).toContain('dist')
      expect(existsSync(join(installed, name, 'tsconfig.build.json')), name).toBe(false)
    }
    for (const tool of ['tsx', 'typescript', 'vite', 'vitest'])
      expect(existsSync(join(installed, tool)), tool).toBe(false)
  })

  it('starts on a read-only root as an unprivileged user, accepts an upload, resolves a stack and ends after SIGTERM', async () => {
    const { child, port, url } = await listen(image.command, { '/data': data })
    const health = image.health.map((part) => part.replace('8642', String(port)))
    expect((await once(start(image, health), 'exit'))[0]).toBe(0)
    await uploadAndResolve(url)
    expect(await end(child)).toBe(0)
    expect(existsSync(join(data, 'intake.db'))).toBe(true)
    expect((await once(start(image, health), 'exit'))[0]).toBe(1)
  })

  it('writes only to its volume and to /tmp', async () => {
    const tried =
      "for (const at of ['/data/x', '/tmp/x', '/symup/x', '/x', '/etc/x', '/usr/x']) try { require('fs').writeFileSync(at, ''); console.log(at) } catch {}"
    const child = start(image, ['node', '-e', tried], { '/data': data })
    expect(await text(child.stdout as NodeJS.ReadableStream)).toBe('/data/x\n/tmp/x\n')
  })

  it.skipIf(postgresPrograms() === undefined)(
    'starts twice as in compose.yaml, with one PostgreSQL and one S3',
    async () => {
      const [postgres, s3] = await Promise.all([startPostgres(), startS3()])
      const running: ChildProcess[] = []
      try {
        const database = await postgres.createDatabase()
        const blobs = s3.createAddress()
        const urls: string[] = []
        for (const name of ['intake-1', 'intake-2']) {
          const { command = [], environment = {}, volumes = [] } = services[name] as Service
          expect(environment).toMatchObject({
            SYMUP_INTAKE_DATABASE: expect.any(String),
            SYMUP_INTAKE_BLOBS: expect.any(String),
          })
          const env = {
            ...environment,
            SYMUP_INTAKE_DATABASE: database,
            SYMUP_INTAKE_BLOBS: blobs,
            AWS_ACCESS_KEY_ID: 'S3RVER',
            AWS_SECRET_ACCESS_KEY: 'S3RVER',
          }
          const own = join(place, name)
          mkdirSync(own)
          chownSync(own, 1000, 1000)
          expect(volumes).toEqual(['./seed.yaml:/seed.yaml:ro'])
          // A container engine creates the file on which a volume is mounted.
          writeFileSync(join(image.root, 'seed.yaml'), '')
          const binds = { '/seed.yaml:ro': join(data, 'seed.yaml'), '/data': own }
          const { child, url } = await listen(command, binds, env)
          running.push(child)
          urls.push(url)
        }
        for (const url of urls)
          expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ok', database: 'ok', blobs: 'ok' })
        await uploadAndResolve(urls[0] as string, urls[1])
      } finally {
        for (const child of running) await end(child)
        await Promise.all([postgres.close(), s3.close()])
      }
    },
  )
})

describe('the services in compose.yaml', () => {
  it('sets a read-only root for each intake, and achievable conditions for each dependency', () => {
    for (const [name, { build: from, read_only, tmpfs, depends_on = {} }] of Object.entries(services)) {
      if (from === undefined) continue
      expect({ name, from, read_only, tmpfs }).toEqual({ name, from: '.', read_only: true, tmpfs: ['/tmp'] })
      for (const [other, { condition }] of Object.entries(depends_on as Record<string, { condition: string }>)) {
        expect(Object.keys(services)).toContain(other)
        if (condition === 'service_healthy') expect(services[other]?.healthcheck).toBeDefined()
      }
    }
  })

  it('sets no password', () => {
    const secrets = JSON.stringify(compose).match(/"[A-Z_]*(?:PASSWORD|SECRET)[A-Z_]*":"[^"]*"/g) ?? []
    expect(secrets.length).toBeGreaterThan(2)
    for (const secret of secrets) expect(secret).toMatch(/\$\{\w+:\?set one\}/)
  })
})

async function uploadAndResolve(url: string, other = url): Promise<void> {
  const map = { version: 3, sources: ['src/pay.ts'], sourcesContent: ['pay()'], names: [], mappings: 'AAAA' }
  const event = { type: 'js_sourcemap', service: 'shop', version: '1', minified_url: '/a.js' }
  const sent = await upload(url, event, { source_map: JSON.stringify(map), minified_file: 'pay()' })
  expect(sent).toMatchObject({ status: 200 })
  const stack = 'Error: x\n    at pay (https://h/a.js:1:1)'
  const asked = await post(other, '/sourcemap/stack/enrich', { service: 'shop', version: '1', stack })
  expect(asked.text).toContain('src/pay.ts')
}
