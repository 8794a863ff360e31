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

it('flags that were given to the process stay, though a thread with options of its own knows nothing of them', () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--liftoff-only', '--trace-wasm-compilation-times', '--input-type=module', '--eval', THREADED],
    { cwd: import.meta.dirname, encoding: 'utf8' },
  )
  expect(stderr).toBe('')
  expect(stdout).toContain('left to undici')
  expect(stdout).toContain('counted')
  expect(stdout).not.toContain('using TurboFan')
})

/** Of the one function below, which counts down. */
const LOOP_BYTES = 18
const COUNT = `
  const bytes = '0061736d010000000106016001' + '7f017f0302010007050101660000' + '0a1401120003402000' + '41016b21002000' + '0d000b20000b'
  const { f } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(bytes, 'hex'))).exports
  for (let times = 0; times < 200; times++) f(1_000_000)
`

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

  ${COUNT}
  console.log(answers + ' answers')
`

const THREAD = `import('tsx/esm/api').then(async ({ register }) => {
  register()
  const { compileAnswerParser } = await import(${JSON.stringify(new URL('answer-parser.ts', import.meta.url).href)})
  console.log((await compileAnswerParser()) ? 'compiled' : 'left to undici')
})`

const THREADED = `
  import { once } from 'node:events'
  import { Worker } from 'node:worker_threads'

  await once(new Worker(${JSON.stringify(THREAD)}, { eval: true, execArgv: [] }), 'exit')
  ${COUNT}
  console.log('counted')
`
