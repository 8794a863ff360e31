import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

it('undici gets a parser that V8 does not optimize, and other modules are optimized as before', () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...['--conditions=symup-source', '--import', import.meta.resolve('tsx'), '--trace-wasm-compilation-times'],
      ...['--input-type=module', '--eval', PROGRAM],
    ],
    { cwd: import.meta.dirname, encoding: 'utf8' },
  )
  expect(stderr).toBe('')
  // Node ends when V8 has done what it began.
  const optimized = [...stdout.matchAll(/using TurboFan.*? bodysize (\d+)/g)].map(([, size]) => Number(size))
  expect(optimized).toContain(LOOP_BYTES)
  expect(optimized.filter((size) => size > 10_000)).toEqual([])
  expect(stdout).toContain('100 answers')
})

/** Of the one function below, which counts down. */
const LOOP_BYTES = 18

const PROGRAM = `
  import { createServer } from 'node:http'
  import { openConnection } from './connection.ts'
  import { post } from './request.ts'
  import { DEFAULT_TIMEOUTS } from './timeouts.ts'

  const server = createServer((request, response) => request.resume().on('end', () => response.end('{}')))
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  const endpoint = new URL('http://127.0.0.1:' + server.address().port)
  const connection = await openConnection({ endpoint, connections: 1, timeouts: DEFAULT_TIMEOUTS })
  let answers = 0
  while (answers < 100) {
    await post(connection, { path: '/', headers: {}, body: Buffer.from('x') })
    answers++
  }
  connection.close()
  server.close()

  const bytes = '0061736d010000000106016001' + '7f017f0302010007050101660000' + '0a1401120003402000' + '41016b21002000' + '0d000b20000b'
  const { f } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(bytes, 'hex'))).exports
  for (let times = 0; times < 200; times++) f(1_000_000)
  console.log(answers + ' answers')
`
