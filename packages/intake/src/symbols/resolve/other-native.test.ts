import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Plan, resolveSettings, upload } from '@symup/core'
import { openBinary, readWasmLayout } from '@symup/core/resolving'
import { expect, it } from 'vitest'
import { useCaller } from '../../test-support/calling.fixture.ts'

const WASM = join(import.meta.dirname, '../../../../../fixtures/symbols/wasm/debug-O2.wasm')
const RELEASE = { service: 'shop', version: '1.2.3' }

const caller = useCaller()

async function send(type: string, part: string, filename: string, content: Buffer): Promise<number> {
  const options = { apiKey: 'dev-api-key', endpoint: caller.intake.url, service: 's', version: '1' }
  const resolution = resolveSettings({ options, cwd: import.meta.dirname, env: {}, needsPrefix: false })
  if (!resolution.ok) throw new Error(JSON.stringify(resolution.problems))
  const parts = [{ name: part, filename, path: filename, bytes: content.length, content }]
  const plan = { uploads: [{ event: { type, cli_version: '0', ...RELEASE }, parts }], problems: [] } as unknown as Plan
  return (await upload(plan, resolution.settings, { adapter: { name: 'test', version: '0' }, cwd: '.' })).totals
    .accepted
}

async function functionsOf(stack: string): Promise<unknown[]> {
  const { data } = await caller.post('/sourcemap/stack/enrich', { ...RELEASE, type: 'browser', stack })
  const frames: { function?: string; reason?: { code: string } }[] = data.frames
  return frames.map((frame) => frame.function ?? frame.reason?.code)
}

it('resolves a WebAssembly frame by the name of its module, or reports that a file is not a module', async () => {
  expect(await send('wasm_symbol_file', 'wasm_symbol_file', 'shop.wasm', readFileSync(WASM))).toBe(1)
  const { code } = readWasmLayout(openBinary(WASM))
  const { frames, at } = JSON.parse(readFileSync(`${WASM}.expected.json`, 'utf8'))
  const [address] = at.find(([, index]: number[]) => frames[index as number].at(-1)[0].includes('total'))
  const stack = `at https://h/shop.wasm:wasm-function[3]:0x${(address + (code?.offset ?? 0)).toString(16)}`
  expect(JSON.stringify(await functionsOf(stack))).toContain('shop::total')
  expect(await send('wasm_symbol_file', 'wasm_symbol_file', 'page.wasm', Buffer.from('<html>'))).toBe(1)
  expect(await functionsOf('at https://h/page.wasm:wasm-function[3]:0x10')).toEqual(['symbols-unusable'])
})

it('resolves a frame that names a module and an offset with the Breakpad symbols of the release', async () => {
  const symbols = `MODULE Linux x86_64 ${'A'.repeat(33)} shop\nFILE 0 cart.cc\nFUNC 1000 10 0 shop::pay()\n1000 10 7 0\n`
  expect(await send('electron_symbol_file', 'symbol_file', 'shop.sym', Buffer.from(symbols))).toBe(1)
  expect(await functionsOf('Thread 0 (crashed)\n 0  shop + 0x1004\n 1  libc.so.6 + 0x10\n')).toEqual([
    'shop::pay()',
    expect.any(String),
  ])
})
