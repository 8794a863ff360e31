import { execFile, spawn } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { installNode, NODE_22 } from '../support/old-node.ts'
import { positionOf } from '../support/resolve.ts'
import { commandsOf, placeOf, type RecipeApp, useRecipes, withPrograms } from './recipe.ts'

/** The recipes in `docs/recipes` for servers. */

const { made, resolved } = useRecipes()

/** The command that runs the build output in workerd. */
const SERVE = 'exec wrangler dev dist/index.js --no-bundle --port 0 --ip 127.0.0.1'

describe('the recipe for Cloudflare Workers', () => {
  const shop = { service: 'shop', version: '1.2.3' }

  it('uploads the bytes that wrangler would deploy, and resolves their errors in workerd', async () => {
    const app = made('worker', 'workers.md')
    const wrangler = withPrograms(app, 'wrangler', 'wrangler/bin/wrangler.js', installNode(NODE_22))
    const env = { ...wrangler, CI: 'true', WRANGLER_SEND_METRICS: 'false' }
    // The last command in the recipe deploys, so the test adds --dry-run.
    const printed = await promisify(execFile)('bash', ['-euc', `${commandsOf('workers.md').trimEnd()} --dry-run`], {
      cwd: app.directory,
      env,
    })
    expect(printed.stdout).toMatch(/Uploaded 1 artifact/)
    expect(printed.stdout + printed.stderr).not.toContain('WARNING')
    expect(app.files('dist')).toEqual(['README.md', 'index.js'])

    const dev = spawn('bash', ['-euc', SERVE], { cwd: app.directory, env })
    try {
      const url = await new Promise<string>((done, fail) => {
        let output = ''
        dev.stdout.on('data', (text: Buffer) => {
          output += text
          const [ready] = /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(output) ?? []
          if (ready) done(ready)
        })
        dev.once('close', () => fail(new Error(output)))
      })
      const stack = await (await fetch(url)).text()
      const expected = [
        placeOf(app, 'src/total.ts', 'throw new RangeError'),
        placeOf(app, 'src/index.ts', 'total(new URL(request.url)'),
      ]
      expect(await resolved({ ...shop, stack }), stack).toEqual(expected)
      // Cloudflare reports file names without a path.
      const deployed = stack.replaceAll(/file:\S*\/(?=index\.js)/g, '')
      expect(deployed).toContain('at total (index.js:1:')
      expect(await resolved({ ...shop, stack: deployed }), deployed).toEqual(expected)
    } finally {
      const closed = new Promise((done) => dev.once('close', done))
      dev.kill()
      await closed
    }
  }, 600_000)

  it('uploads a Worker built by Vite under the name in its stack, and deletes its map', async () => {
    const app = made('worker', 'workers.md')
    const output = await app.run('vite/bin/vite.js', ['build'], { program: installNode(NODE_22) })
    expect(output).toMatch(/Uploaded 1 artifact/)
    expect(app.files('dist').filter((file) => /\.(?:js|map)$/.test(file))).toEqual(['shop/index.js'])
    const code = readFileSync(join(app.directory, 'dist/shop/index.js'), 'utf8')
    expect(code).not.toContain('sourceMappingURL')
    const { line, column } = positionOf(join(app.directory, 'dist/shop/index.js'), 'throw new RangeError')
    const stack = `RangeError: x\n    at total (index.js:${line}:${column})`
    expect(await resolved({ ...shop, stack }), output).toEqual([placeOf(app, 'src/total.ts', 'throw new RangeError')])
  }, 600_000)
})

describe('the recipe for Nest', () => {
  /**
   * Starts the built server and sends one request.
   * @returns the stack in its response, as if the server were in `/app`.
   */
  async function thrown(app: RecipeApp): Promise<string> {
    const server = spawn(process.execPath, ['dist/main.js'], { cwd: app.directory })
    try {
      const url = await new Promise<string>((done, fail) => {
        let output = ''
        for (const stream of [server.stdout, server.stderr]) stream.on('data', (text: Buffer) => (output += text))
        server.stdout.on('data', () => /\n/.test(output) && done(output.trim()))
        server.once('close', () => fail(new Error(output)))
      })
      return (await (await fetch(url)).text()).replaceAll(app.directory, '/app')
    } finally {
      server.kill()
    }
  }

  async function expectResolved(app: RecipeApp): Promise<void> {
    const stack = await thrown(app)
    expect(stack).toContain('at CartService.total (/app/dist/')
    const frames = await resolved({ service: 'api', version: '1.2.3', stack })
    expect(frames.slice(0, 2), stack).toEqual([
      placeOf(app, 'src/cart.service.ts', 'throw new RangeError'),
      placeOf(app, 'src/main.ts', 'this.cart.total'),
    ])
  }

  it('resolves errors from a server compiled by TypeScript, and leaves no map', async () => {
    const app = made('nest', 'node-servers.md')
    const env = withPrograms(app, 'nest', '@nestjs/cli/bin/nest.js')
    const printed = await promisify(execFile)('bash', ['-euc', commandsOf('node-servers.md')], {
      cwd: app.directory,
      env,
    })
    expect(printed.stdout).toMatch(/Uploaded 2 artifacts/)
    expect(app.files('dist')).toEqual(['cart.service.js', 'main.js'])
    await expectResolved(app)
  }, 600_000)

  it('resolves errors from a server bundled by Rspack, and leaves no map', async () => {
    const app = made('nest', 'node-servers.md')
    // Nest bundles modules from outside the project's own directory.
    symlinkSync('../node_modules', join(app.directory, 'node_modules'))
    const output = await app.run('@nestjs/cli/bin/nest.js', ['build', '--builder', 'rspack'])
    expect(output).toMatch(/Uploaded 1 artifact/)
    expect(app.files('dist')).toEqual(['main.js'])
    await expectResolved(app)
  }, 600_000)
})
