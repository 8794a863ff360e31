import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startIntake } from '../../packages/intake/src/index.ts'

const run = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../..')
const PAGE = readFileSync(join(ROOT, 'docs/testing.md'), 'utf8')
const COMPILER = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--rewriteRelativeImportExtensions']
const TYPES = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')]

it('compiles a client generated from /openapi.json and runs the example on the page', async () => {
  const [, code = ''] = /```ts client\n([\s\S]*?)\n```/.exec(PAGE) ?? []
  expect(code).toContain('/safari/automation/rule/create')
  expect(PAGE).toContain('--default-non-nullable=false -o intake.d.ts')
  const intake = await startIntake()
  const place = mkdtempSync(join(tmpdir(), 'symup-generated-'))
  const node = (args: string[]) =>
    run(process.execPath, args, { cwd: place, env: { PATH: process.env.PATH, INTAKE: intake.url } })
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'), 'junction')
    writeFileSync(join(place, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(place, 'client.ts'), code)
    const generator = join(ROOT, 'fixtures/contract/node_modules/openapi-typescript/bin/cli.js')
    await node([generator, `${intake.url}/openapi.json`, '--default-non-nullable=false', '-o', 'intake.d.ts'])
    await node([join(ROOT, 'node_modules/typescript/bin/tsc'), ...COMPILER, ...TYPES, 'client.ts'])
    await node(['client.js'])
    await expect(
      run(process.execPath, ['client.js'], { cwd: place, env: { INTAKE: 'http://127.0.0.1:9' } }),
    ).rejects.toThrow()
  } finally {
    await intake.close()
    rmSync(place, { recursive: true, force: true })
  }
}, 120_000)
