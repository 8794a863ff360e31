import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readProject } from '../../packages/cli/src/init/project.ts'
import { detectTools } from '../../packages/cli/src/init/tools.ts'
import { runIn } from '../commands/terminals.ts'
import { useChromium } from '../support/chromium.ts'
import { needsChromium } from '../support/tool.ts'
import { placeOf, type RecipeApp, useRecipes } from './recipe.ts'

/** Electron Forge's webpack template, set up by `symup init`. */

const chromium = needsChromium()
const withPage = useChromium()
const { made, resolved } = useRecipes()

const FILES = {
  'package.json': '{ "name": "desk", "version": "1.2.3", "scripts": { "make": "electron-forge make" } }\n',
  'symup.json': '{ "service": "desk", "version": "1.2.3" }\n',
  'index.html': '<!doctype html>\n<title>desk</title>\n',
  'webpack.main.config.js': `module.exports = {
  /**
   * This is the main entry point for your application, it's the first file
   * that runs in the main process.
   */
  entry: './src/main/index.js',
  // Put your normal webpack config below here
};
`,
  'webpack.renderer.config.js': `module.exports = {
  // Put your normal webpack config below here
};
`,
  // What the hook before packaging calls. The whole command would need Electron's program.
  'build.js': `const { WebpackPlugin } = require('@electron-forge/plugin-webpack')

const forge = new WebpackPlugin({
  mainConfig: './webpack.main.config.js',
  renderer: {
    config: './webpack.renderer.config.js',
    entryPoints: [
      { html: './index.html', js: './src/renderer/src/index.js', name: 'main_window', preload: { js: './src/preload/index.js' } },
    ],
  },
})
forge.setDirectories(__dirname)
forge.isProd = true
forge.compileMain().then(() => forge.compileRenderers()).then(() => process.exit(), (error) => {
  console.error(error)
  process.exit(1)
})
`,
}

function forgeApp(): RecipeApp {
  const app = made('electron', 'electron.md')
  for (const file of ['electron.vite.config.js', 'forge.config.js', 'vite.config.js'])
    rmSync(join(app.directory, file), { force: true })
  for (const [file, text] of Object.entries(FILES)) writeFileSync(join(app.directory, file), text)
  return app
}

describe.skipIf(!chromium.isThere)(`Electron Forge with webpack${chromium.reason}`, () => {
  it('both halves are uploaded, and what an installed app throws resolves', async () => {
    const app = forgeApp()
    const project = readProject(app.directory)
    const { tool } = detectTools(project)[0] ?? {}
    expect(tool?.id).toBe('electron-forge-webpack')
    const changes = tool?.setUp(project).changes ?? []
    expect(changes.map(({ path }) => path).sort()).toEqual(['webpack.main.config.js', 'webpack.renderer.config.js'])
    for (const { path, after } of changes) writeFileSync(join(app.directory, path), after)

    const { exitCode, output } = await runIn('no terminal', [process.execPath, 'build.js'], app.directory, app.settings)
    expect(exitCode, output).toBe(0)
    expect(output).toContain("minifiedPathPrefix = app:///.webpack/main ← the directory of the Electron app's scripts")
    // One upload for the main process, and one for the page and preload script.
    expect(output.match(/Uploaded \d+ artifacts?/g), output).toEqual(['Uploaded 1 artifact', 'Uploaded 2 artifacts'])
    expect(output).not.toContain('maps-linked')
    expect(app.files('.webpack')).toEqual([
      'main/index.js',
      'renderer/main_window/index.html',
      'renderer/main_window/index.js',
      'renderer/main_window/preload.js',
    ])

    const asar = join(app.directory, 'Desk.app/Contents/Resources/app.asar')
    cpSync(join(app.directory, '.webpack'), join(asar, '.webpack'), { recursive: true })
    const page = pathToFileURL(join(asar, '.webpack/renderer/main_window/index.html')).href
    const stack = await withPage(page, (it) =>
      it.waitForFunction(() => (globalThis as { stack?: string }).stack).then((printed) => printed.jsonValue()),
    )
    const here = pathToFileURL(asar).href
    expect(stack).toContain(`${here}/.webpack/renderer/main_window/index.js`)
    for (const there of [here, 'file:///C:/Users/ann/AppData/Local/desk/resources/app.asar']) {
      const event = { service: 'desk', version: '1.2.3', stack: String(stack).replaceAll(here, there) }
      // The last frame is webpack's own function around the module.
      expect(await resolved(event), event.stack).toEqual([
        placeOf(app, 'src/renderer/src/index.js', 'throw new RangeError'),
        placeOf(app, 'src/renderer/src/index.js', 'total([])'),
        '?',
      ])
    }
  }, 120_000)
})
