import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'
import { symup } from '../support/command.ts'
import { useIntake } from '../support/intake.ts'

const SYMBOLS = join(ROOT, 'fixtures/symbols')
const CASE = join(SYMBOLS, 'jvm/cases/shop-optimized')
const LAB = join(SYMBOLS, 'harmony/ossd-25307136-lab1')
const RELEASE = ['--service', 'com.example.shop', '--release-version', '1.2.3']

const intake = useIntake()

const run = (args: string[], input = '') =>
  symup(args, {
    cwd: CASE,
    input,
    env: { SYMUP_API_KEY: 'dev-api-key', SYMUP_APP_KEY: 'dev-app-key', SYMUP_ENDPOINT: intake.url },
  })

describe('a stack from an obfuscated Android release', () => {
  it('explains the stack in the intake after the mapping file is uploaded', async () => {
    const uploaded = await run([
      'android',
      'upload-mapping',
      'mapping.txt',
      ...RELEASE,
      '--variant',
      'release',
      '--version-code',
      '42',
      '--json',
    ])
    expect(uploaded.exitCode).toBe(0)
    expect(JSON.parse(uploaded.stdout).outcomes).toMatchObject([
      { status: 'accepted', event: { type: 'jvm_mapping_file', version_code: 42, variant: 'release' } },
    ])
    const explained = await run(['explain', 'stack.txt', ...RELEASE])
    expect(explained).toMatchObject({ exitCode: 0, stderr: '' })
    const expected = readFileSync(join(CASE, 'expected.txt'), 'utf8').replaceAll('\t', '    ')
    expect(explained.stdout).toBe(expected)
    const { frames } = JSON.parse((await run(['explain', 'stack.txt', ...RELEASE, '--json'])).stdout)
    expect(frames[4]).toMatchObject({
      raw: 'at a.a(SourceFile:1029)',
      resolved: {
        function: 'com.example.shop.pay.Cart.total',
        line: 50,
        inlined: [{ line: 29 }, { line: 24 }, { line: 20 }],
      },
    })
  })

  it('explains the stack with only the mapping file', async () => {
    const { exitCode, stdout } = await run(
      ['explain', '-', '--mapping', 'mapping.txt'],
      '\tat a.a(SourceFile:44)\n\tat x.y(Z:1)\n',
    )
    expect(exitCode).toBe(1)
    expect(stdout.split('\n').slice(0, 5)).toEqual([
      '    at com.example.shop.pay.Cart.add(Cart.java:44)',
      '    at x.y(Z:1)',
      'Resolved 1 of 2 frames.',
      'at x.y(Z:1)',
      'not-in-mapping: The mapping does not contain the class x. Either the class was not renamed, or the mapping is from another build.',
    ])
  })
})

it('explains an ArkTS stack with only source maps and a name cache', async () => {
  const files = [
    '--source-maps',
    join(LAB, 'sourceMaps.release.map'),
    '--name-cache',
    join(LAB, 'nameCache.release.json'),
  ]
  const { exitCode, stdout } = await run(['explain', ...files], 'at a2 (entry|entry|1.0.0|src/main/ets/a/d/e.ts:45:13)')
  expect(exitCode).toBe(0)
  expect(stdout).toContain('→ updateCurrentBreakpoint  entry/src/main/ets/common/utils/BreakpointSystem.ets:82:7')
})
