import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { useDirectory } from '../support/directory.ts'
import { useIntake } from '../support/intake.ts'

const CORE = resolve(import.meta.dirname, '../../packages/core')

const intake = useIntake()
const place = useDirectory()
beforeAll(() => {
  mkdirSync(join(place, 'dist'))
  mkdirSync(join(place, 'node_modules/@symup'), { recursive: true })
  symlinkSync(CORE, join(place, 'node_modules/@symup/core'), 'dir')
  writeFileSync(join(place, 'package.json'), '{"name":"shop","version":"4.5.6","type":"module"}')
  writeFileSync(
    join(place, 'dist/app.js'),
    'function fail(){throw new Error("x")}fail()\n//# sourceMappingURL=app.js.map\n',
  )
  cpSync(resolve(import.meta.dirname, '../../packages/core/README.md'), join(place, 'README.md'))
})

function run(env: NodeJS.ProcessEnv): Promise<{ output: string; status: unknown }> {
  const [, script = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync(join(place, 'README.md'), 'utf8')) ?? []
  writeFileSync(join(place, 'upload.js'), script)
  const args = ['--conditions=symup-source', '--import', tsx, 'upload.js']
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd: place, env: { PATH: process.env.PATH, ...env } }, (error, stdout, stderr) =>
      done({ output: stdout + stderr, status: error?.code ?? 0 }),
    )
  })
}
const tsx = import.meta.resolve('tsx')

it('uploads a build with the example from the README, and ends with the result', async () => {
  const map = {
    version: 3,
    sources: ['../src/app.ts'],
    sourcesContent: ['function fail() {\n  throw new Error("x")\n}\nfail()\n'],
    names: [],
    mappings: 'AAAA,SAAS,OACP,MAAM,IAAI,MAAM,GAClB,CACA',
  }
  writeFileSync(join(place, 'dist/app.js.map'), JSON.stringify(map))
  const { output, status } = await run({ SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: intake.url })
  expect(output.trimEnd().split('\n').at(-1)).toMatch(/^Uploaded 1 artifact/)
  expect(status).toBe(0)
  const [upload] = await intake.uploads()
  expect(upload).toMatchObject({
    origin: 'symup-our-build',
    event: { type: 'js_sourcemap', service: 'shop', version: '4.5.6', minified_url: '/shop/app.js' },
  })
})

it('returns a verdict, not an exception, for an unusable configuration', async () => {
  const { output, status } = await run({ SYMUP_ENDPOINT: 'http://127.0.0.1:1/?no' })
  expect(output).toContain('error endpoint-invalid')
  expect(output).toContain('api-key-missing')
  expect(output.trimEnd().split('\n').at(-1)).toBe('Nothing will be uploaded because the configuration is invalid.')
  expect(status).toBe(2)
})
