import { cpSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'
import { useDirectory, writeIn } from '../support/directory.ts'
import { useIntake } from '../support/intake.ts'
import { type Edited, setUp } from './init-to-upload.ts'

const HARMONY = {
  'hvigorfile.ts':
    "import { appTasks } from '@ohos/hvigor-ohos-plugin';\n\nexport default {\n  system: appTasks, /* Built-in plugin of Hvigor. It cannot be modified. */\n  plugins: []       /* Custom plugin to extend the functionality of Hvigor. */\n}\n",
  'hvigor/hvigor-config.json5': '{\n  "modelVersion": "5.0.0",\n  "dependencies": {\n  }\n}\n',
  'AppScope/app.json5':
    '{\n  "app": {\n    "bundleName": "com.example.myapplication",\n    "vendor": "example",\n    "versionCode": 1000000,\n    "versionName": "1.0.0"\n  }\n}\n',
  'build-profile.json5': '{\n  "app": { "products": [{ "name": "default" }] }\n}\n',
}

/** Projects in which init changes a module list, a plugin list and several files. Unit tests cover every tool. */
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
  HarmonyOS: [
    HARMONY,
    ['hvigorfile.ts', "import { symup } from '@symup/hvigor';"],
    ['hvigor/hvigor-config.json5', '"@symup/hvigor": "*"'],
  ],
}

const intake = useIntake()
const place = useDirectory()

describe('init, then doctor, in', () => {
  it.each(Object.keys(WRITTEN))('%s', async (name) => {
    const [files, ...edited] = WRITTEN[name] as [Record<string, string>, ...Edited[]]
    const cwd = mkdtempSync(join(place, 'written-'))
    for (const [path, text] of Object.entries(files)) writeIn(cwd, path, text)
    await setUp(cwd, intake.url, edited)
  })

  it('Gradle, with flavors', async () => {
    const cwd = mkdtempSync(join(place, 'gradle-'))
    cpSync(join(ROOT, 'fixtures/android-app'), cwd, { recursive: true })
    await setUp(cwd, intake.url, [['app/build.gradle', "apply from: '../node_modules/@symup/android/symup.gradle'"]])
  })
})
