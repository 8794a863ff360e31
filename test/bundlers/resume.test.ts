import { request } from 'node:http'
import { join } from 'node:path'
import symup from '@symup/unplugin/vite'
import { build } from 'vite'
import { expect, it } from 'vitest'
import { filesBelow } from '../support/files-below.ts'
import { useIntake } from '../support/intake.ts'
import { isKeyCheck } from '../support/key-check.ts'
import { logged } from '../support/printed.ts'
import { runSymup } from '../support/run-symup.ts'
import { useServer } from '../support/server.ts'
import { BASE, isScript, optionsFor, source, temporaryOutput, uploadedOf, WEB_APP } from './bundle.ts'

const intake = useIntake()
/** The number of uploads that the server accepts. It refuses the rest. */
let open = 0
const gate = useServer((incoming, response, body) => {
  const { method, headers, url = '/' } = incoming
  if (url === '/sourcemap/upload' && !isKeyCheck(incoming) && open-- <= 0)
    return response.writeHead(400, { Connection: 'close' }).end('{}')
  const outgoing = request(new URL(url, intake.url), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  return outgoing.end(body)
})

it('sends only missing artifacts with the command that a failed upload prints', async () => {
  using directory = temporaryOutput()
  const service = 'resume'
  open = 2
  const options = optionsFor(intake, service, { endpoint: gate.url, onError: 'warn', concurrency: 1 })
  const output = await logged(() =>
    build({
      configFile: false,
      root: WEB_APP,
      base: BASE,
      plugins: [symup(options)],
      worker: { format: 'es' },
      build: { outDir: directory.path, sourcemap: 'hidden', rollupOptions: { input: source('main.js') } },
    }),
  )
  const scripts = filesBelow(directory.path).filter(isScript)
  expect(output).toContain(`Upload failed: 2 of ${scripts.length} artifacts uploaded`)
  const command = /^\[symup\] {3}npx symup@\S+ (.*)$/m.exec(output)?.[1] ?? ''
  expect(command).not.toContain('dev-api-key')

  open = Number.POSITIVE_INFINITY
  const resumed = await runSymup(command.split(' '), { cwd: process.cwd(), env: { SYMUP_API_KEY: 'dev-api-key' } })
  expect(resumed.stdout + resumed.stderr).toContain(`Uploaded ${scripts.length} artifacts (2 already uploaded)`)
  expect(resumed.exitCode).toBe(0)
  const uploaded = await uploadedOf(intake, service)
  expect(uploaded.map(({ url, once }) => ({ url, once }))).toEqual(
    scripts.map((file) => ({ url: join(BASE, file), once: true })),
  )
})
