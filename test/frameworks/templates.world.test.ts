import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Intake, startIntake } from '@symup/intake'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runIn } from '../commands/terminals.ts'
import { findChromium, withPage } from '../support/browser.ts'
import { ROOT } from '../support/build-fixture.ts'
import { buildPackages } from '../support/build-package.ts'
import { symup } from '../support/command.ts'
import { installNode, NODE_22 } from '../support/old-node.ts'
import { enrich } from '../support/resolve.ts'
import { serve } from '../support/serve.ts'
import { needs } from '../support/tool.ts'
import { expectNoMaps } from './own-files.ts'

/**
 * What `npm create` makes, as a newcomer goes on with it: `npm install`, `symup init`, `npm run build`, and an error in Chromium. Versions are
 * those of the day within a major: that a template changes is what this has to notice.
 */

const executable = findChromium()
const chromium = needs('Chromium', executable !== undefined, 'Debian: chromium')

interface Template {
  name: string
  /** Makes the directory `app`. */
  create?: string
  /** Where nothing makes it that needs no other site than the registry: what its guide says. */
  files?: Readonly<Record<string, string>>
  /** What its page loads first; an error is thrown in it. */
  main: string
  output?: string
  /** It asks for a newer Node than the workspace. */
  needsNode22?: boolean
}

const vite = (template: string, main = 'src/main.ts'): Template => ({
  name: `create-vite, ${template}`,
  create: `create-vite@9 app --template ${template} --no-interactive`,
  main,
})

const TEMPLATES: readonly Template[] = [
  vite('react-ts', 'src/main.tsx'),
  vite('vue-ts'),
  vite('svelte-ts'),
  vite('solid-ts', 'src/index.tsx'),
  vite('preact-ts', 'src/main.tsx'),
  vite('lit-ts', 'src/my-element.ts'),
  vite('vanilla-ts'),
  {
    name: 'Vue CLI',
    create: '@vue/cli@5 create app --default --no-git --packageManager npm',
    main: 'src/main.js',
  },
  {
    name: 'Create React App',
    files: {
      'package.json': JSON.stringify({
        name: 'app',
        private: true,
        scripts: { build: 'react-scripts build' },
        dependencies: { react: '^18.3.1', 'react-dom': '^18.3.1', 'react-scripts': '^5.0.1' },
        eslintConfig: { extends: ['react-app'] },
        browserslist: { production: ['>0.2%', 'not dead', 'not op_mini all'] },
      }),
      'public/index.html': '<!doctype html>\n<html lang="en">\n<body><div id="root"></div></body>\n</html>\n',
      'src/index.js':
        "import React from 'react'\nimport ReactDOM from 'react-dom/client'\n\nReactDOM.createRoot(document.getElementById('root')).render(<p>Shop</p>)\n",
    },
    main: 'src/index.js',
    output: 'build',
  },
  {
    name: 'Starlight',
    files: {
      'package.json': JSON.stringify({
        name: 'app',
        private: true,
        type: 'module',
        scripts: { build: 'astro build' },
        dependencies: { '@astrojs/starlight': '^0.42.0', astro: '^7.0.0', sharp: '^0.34.2' },
      }),
      'astro.config.mjs':
        "// @ts-check\nimport { defineConfig } from 'astro/config';\nimport starlight from '@astrojs/starlight';\n\n// https://astro.build/config\nexport default defineConfig({\n\tintegrations: [\n\t\tstarlight({\n\t\t\ttitle: 'My Docs',\n\t\t}),\n\t],\n});\n",
      'src/content.config.ts':
        "import { defineCollection } from 'astro:content';\nimport { docsLoader } from '@astrojs/starlight/loaders';\nimport { docsSchema } from '@astrojs/starlight/schema';\n\nexport const collections = {\n\tdocs: defineCollection({ loader: docsLoader(), schema: docsSchema() }),\n};\n",
      'src/content/docs/index.mdx':
        "---\ntitle: Welcome\n---\n\nimport Shop from '../../components/Shop.astro';\n\n<Shop />\n",
      'src/components/Shop.astro': '<p>Shop</p>\n<script>\n\timport("../shop");\n</script>\n',
      'src/shop.ts': '',
    },
    // What it loads at once is small enough for Astro to write it into the page.
    main: 'src/shop.ts',
    needsNode22: true,
  },
]

const TOTAL = `export function total(price) {
  if (price < 0) throw new RangeError('below zero: ' + price)
  return price
}
`
const TYPED = TOTAL.replace('(price)', '(price: number)')
const FAILING = `try {
  total(-document.title.length - 1)
} catch (error) {
  Object.assign(window, { stack: error })
}
`

let intake: Intake
let place: string
beforeAll(async () => {
  await buildPackages()
  intake = await startIntake()
  place = mkdtempSync(join(tmpdir(), 'symup-templates-'))
}, 300_000)
afterAll(async () => {
  await intake.close()
  rmSync(place, { recursive: true, force: true })
})

const { PATH, HOME } = process.env

/** As on a terminal of the user's, but that nothing is asked there. */
async function run(command: string, cwd: string): Promise<void> {
  const [program = '', ...args] = command.split(' ')
  const running = promisify(execFile)(program, args, { cwd, env: { PATH, HOME, CI: '1' }, maxBuffer: 2 ** 26 })
  running.child.stdin?.end()
  await running
}

async function projectOf({ create, files = {} }: Template): Promise<string> {
  const at = mkdtempSync(join(place, 'of-'))
  const app = join(at, 'app')
  if (create !== undefined) await run(`npx --yes ${create}`, at)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(app, path)), { recursive: true })
    writeFileSync(join(app, path), text)
  }
  await run('npm pkg set version=1.2.3', app)
  await run('npm install --no-audit --no-fund', app)
  for (const [name, of] of [
    ['@symup/unplugin', 'unplugin'],
    ['symup', 'cli'],
  ] as const) {
    mkdirSync(dirname(join(app, 'node_modules', name)), { recursive: true })
    symlinkSync(join(ROOT, 'packages', of), join(app, 'node_modules', name))
  }
  // npm makes it executable as it installs.
  const command = join(ROOT, 'packages/cli/dist/main.js')
  writeFileSync(join(app, 'node_modules/.bin/symup'), `#!/bin/sh\nexec node '${command}' "$@"\n`, { mode: 0o755 })
  return app
}

/** Lets the page throw as it loads. */
function addError(app: string, main: string): string {
  const isTyped = /\.tsx?$/.test(main)
  const total = join(dirname(main), `total.${isTyped ? 'ts' : 'js'}`)
  writeFileSync(join(app, total), isTyped ? TYPED : TOTAL)
  const text = readFileSync(join(app, main), 'utf8')
  writeFileSync(join(app, main), `import { total } from './total'\n${text}\n${FAILING}`)
  return total
}

const stackIn = (url: string) =>
  withPage(executable as string, url, async (page) => {
    await page.waitForFunction(() => 'stack' in globalThis, undefined, { timeout: 20_000 })
    return page.evaluate(() => (globalThis as unknown as { stack: Error }).stack.stack as string)
  })

describe.skipIf(!chromium.isThere)(`templates${chromium.reason}`, () => {
  it.each(TEMPLATES)('$name: install, init, build, throw', { timeout: 400_000 }, async (template) => {
    const app = await projectOf(template)
    const init = await symup(['init'], { cwd: app })
    expect([init.exitCode, init.stderr]).toEqual([0, ''])
    const total = addError(app, template.main)

    const node = template.needsNode22 ? installNode(NODE_22) : process.execPath
    const path = `${dirname(node)}:${PATH}`
    const env = { SYMUP_ENDPOINT: intake.url, SYMUP_API_KEY: 'dev-api-key', NO_COLOR: '1', PATH: path }
    const built = await runIn('no terminal', ['npm', 'run', 'build'], app, env)
    expect(built.exitCode, built.output).toBe(0)
    expect(built.output).toMatch(/Uploaded (\d+) of \1 artifacts/)
    // It is in no repository.
    expect(built.output).not.toMatch(/^(?:warning|error) (?!git-incomplete)/m)
    const output = join(app, template.output ?? 'dist')
    expectNoMaps(output, false)

    const site = await serve(output, '/')
    try {
      const stack = await stackIn(site.url)
      const frames = await enrich(intake, stack, 'app')
      expect(frames[0], JSON.stringify(stack)).toMatchObject({ line: 2 })
      // Create React App names sources from `src` on.
      const named = frames.map(({ file }) => basename(file))
      expect(named[0]).toBe(basename(total))
      expect(named).toContain(basename(template.main))
    } finally {
      await site.close()
      // Tens of thousands of files each.
      await rm(dirname(app), { recursive: true, force: true })
    }
  })
})
