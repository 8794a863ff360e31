import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Intake, startIntake } from '@symup/intake'
import symup from '@symup/unplugin/vite'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrich } from '../support/resolve.ts'
import { filesBelow, logged, optionsFor, temporaryOutput, uploadedOf } from './bundle.ts'

let intake: Intake
beforeAll(async () => {
  intake = await startIntake()
})
afterAll(() => intake.close())

const PRICE = `export function priceOf(text) {
  // A comment that the bundle does not have.
  if (text === 'free') throw new RangeError('nothing is free')
  return text.length
}
`
const SERVER = `import { priceOf } from './price.js'

try {
  priceOf('free')
} catch (error) {
  console.log(error.stack)
}
`

/** Builds a server with Vite, and gives the stack that Node prints of it where it then lies. */
async function stackOf(root: string, service: string, format: 'es' | 'cjs', server: object | true, runsIn = 'dist') {
  mkdirSync(join(root, 'src'))
  for (const [file, text] of Object.entries({ 'price.js': PRICE, 'server.js': SERVER }))
    writeFileSync(join(root, 'src', file), text)
  const output = await logged(() =>
    build({
      configFile: false,
      root,
      logLevel: 'warn',
      plugins: [symup(optionsFor(intake, service, { server, logLevel: 'info' }))],
      build: {
        ssr: 'src/server.js',
        outDir: 'dist',
        rollupOptions: { output: { format, entryFileNames: format === 'es' ? 'server.mjs' : 'server.cjs' } },
      },
    }),
  )
  if (runsIn !== 'dist') renameSync(join(root, 'dist'), join(root, runsIn))
  const [entry = ''] = filesBelow(join(root, runsIn)).filter((file) => file.startsWith('server.'))
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, runsIn, entry)])
  return { stack: stdout, output }
}

const THROWN = PRICE.slice(0, PRICE.indexOf('throw')).split('\n').length

describe('a stack of Node', () => {
  it.each(['es', 'cjs'] as const)(
    'of %s resolves where the server runs from the directory of the build',
    async (format) => {
      using directory = temporaryOutput()
      const { stack, output } = await stackOf(directory.path, `node-${format}`, format, true)
      expect(stack).toContain(format === 'es' ? 'file://' : `(${directory.path}`)
      expect(output).toContain('Uploaded 1 of 1 artifacts')
      const [frame] = await enrich(intake, stack, `node-${format}`)
      expect(frame, stack).toMatchObject({ file: 'src/price.js', line: THROWN })
      // Only the plugin asked for maps.
      expect(filesBelow(join(directory.path, 'dist')).filter((file) => file.endsWith('.map'))).toEqual([])
    },
  )

  it('resolves under the service and the directory that the option gives', async () => {
    using directory = temporaryOutput()
    const place = join(directory.path, 'app')
    const server = { service: 'node-own', minifiedPathPrefix: `file://${place}` }
    const { stack } = await stackOf(directory.path, 'node-browsers', 'es', server, 'app')
    expect(stack).toContain(place)
    expect((await enrich(intake, stack, 'node-own'))[0]).toMatchObject({ file: 'src/price.js', line: THROWN })
    expect(await uploadedOf(intake, 'node-browsers')).toEqual([])
    expect(readFileSync(join(place, 'server.mjs'), 'utf8')).not.toContain('sourceMappingURL')
  })
})
