import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'
import { useIntake } from '../support/intake.ts'
import { type Edited, manifest, setUp } from './init-to-upload.ts'

const HARMONY = {
  'hvigorfile.ts':
    "import { appTasks } from '@ohos/hvigor-ohos-plugin';\n\nexport default {\n  system: appTasks, /* Built-in plugin of Hvigor. It cannot be modified. */\n  plugins: []       /* Custom plugin to extend the functionality of Hvigor. */\n}\n",
  'hvigor/hvigor-config.json5': '{\n  "modelVersion": "5.0.0",\n  "dependencies": {\n  }\n}\n',
  'AppScope/app.json5':
    '{\n  "app": {\n    "bundleName": "com.example.myapplication",\n    "vendor": "example",\n    "versionCode": 1000000,\n    "versionName": "1.0.0"\n  }\n}\n',
  'build-profile.json5': '{\n  "app": { "products": [{ "name": "default" }] }\n}\n',
}

/** Projects whose creator asks for a site that not every machine reaches, or that has none: the files that it makes and init reads. */
const WRITTEN: Readonly<Record<string, readonly [files: Readonly<Record<string, string>>, ...edited: Edited[]]>> = {
  Nuxt: [
    {
      'package.json':
        '{\n  "name": "app",\n  "private": true,\n  "scripts": { "build": "nuxt build" },\n  "dependencies": { "nuxt": "^4.0.0" }\n}\n',
      'nuxt.config.ts':
        "// https://nuxt.com/docs/api/configuration/nuxt-config\nexport default defineNuxtConfig({\n  compatibilityDate: '2025-07-15',\n  devtools: { enabled: true }\n})\n",
    },
    ['nuxt.config.ts', "  devtools: { enabled: true },\n  modules: ['@symup/unplugin/nuxt']\n"],
    ['package.json', '"version": "0.1.0"'],
  ],
  Astro: [
    {
      'package.json': manifest('astro build', 'astro'),
      'astro.config.mjs':
        "// @ts-check\nimport { defineConfig } from 'astro/config';\n\n// https://astro.build/config\nexport default defineConfig({});\n",
    },
    ['astro.config.mjs', "import symup from '@symup/unplugin/astro';"],
  ],
  'React Router': [
    {
      'package.json':
        '{\n  "name": "app",\n  "private": true,\n  "type": "module",\n  "scripts": { "build": "react-router build" },\n  "devDependencies": { "@react-router/dev": "^7.0.0", "vite": "^7.0.0" }\n}\n',
      'vite.config.ts':
        'import { reactRouter } from "@react-router/dev/vite";\nimport { defineConfig } from "vite";\n\nexport default defineConfig({\n  plugins: [reactRouter()],\n});\n',
    },
    ['vite.config.ts', 'import symup from "@symup/unplugin/vite";'],
    ['vite.config.ts', 'plugins: [reactRouter(), symup()],'],
  ],
  'Create React App': [
    { 'package.json': manifest('react-scripts build', 'react-scripts') },
    ['package.json', 'react-scripts build && symup web upload build'],
  ],
  'webpack without a config file': [
    { 'package.json': manifest('webpack --mode production', 'webpack', 'webpack-cli') },
    ['webpack.config.js', 'plugins: [symup()]'],
  ],
  'webpack with one': [
    {
      'package.json': JSON.stringify({
        name: 'app',
        version: '1.0.0',
        scripts: { build: 'webpack' },
        devDependencies: { webpack: '*' },
      }),
      'webpack.config.js':
        "const path = require('path');\nconst HtmlWebpackPlugin = require('html-webpack-plugin');\n\nmodule.exports = {\n\tmode: 'production',\n\tplugins: [\n\t\tnew HtmlWebpackPlugin(), // the page\n\t],\n};\n",
    },
    ['webpack.config.js', "const symup = require('@symup/unplugin/webpack');"],
    ['webpack.config.js', '\t\tnew HtmlWebpackPlugin(), // the page\n\t\tsymup(),\n\t],'],
  ],
  Bun: [
    {
      'package.json': manifest('bun build.ts'),
      'bun.lock': '',
      'build.ts': "await Bun.build({ entrypoints: ['src/main.ts'], outdir: 'dist' })\n",
    },
    ['build.ts', 'plugins: [symup()]'],
  ],
  HarmonyOS: [
    HARMONY,
    ['hvigorfile.ts', "import { symup } from '@symup/hvigor';"],
    ['hvigor/hvigor-config.json5', '"@symup/hvigor": "*"'],
  ],
  'a mini program': [{ 'project.config.json': '{ "appid": "wx0" }', 'package.json': manifest('') }],
}

const intake = useIntake()
let place: string
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'symup-templates-'))
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

describe('init, then doctor, in', () => {
  it.each(Object.keys(WRITTEN))('%s', async (name) => {
    const [files, ...edited] = WRITTEN[name] as [Record<string, string>, ...Edited[]]
    const cwd = mkdtempSync(join(place, 'written-'))
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true })
      writeFileSync(join(cwd, path), text)
    }
    await setUp(cwd, intake.url, edited)
  })

  it('Gradle, with flavors', async () => {
    const cwd = mkdtempSync(join(place, 'gradle-'))
    cpSync(join(ROOT, 'fixtures/android-app'), cwd, { recursive: true })
    await setUp(cwd, intake.url, [['app/build.gradle', "apply from: '../node_modules/@symup/android/symup.gradle'"]])
  })
})
