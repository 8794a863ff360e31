import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeZip } from '@symup/core/internal'
import { build } from 'esbuild'
import { ROOT } from '../support/build-fixture.ts'
import { symupArguments } from '../support/command.ts'
import { writeIn } from '../support/directory.ts'

const SYMBOLS = join(ROOT, 'fixtures/symbols')
const SOURCE = `export function pay(price: number): number {
  if (price < 0) throw new RangeError('below zero: ' + price)
  return price * 2
}
console.log(pay(Number(new Date())))
`

/**
 * A project with everything that the documentation's commands need: symbol files of web, Android, HarmonyOS, iOS, React
 * Native, Flutter and Electron builds, and stacks. Nothing is installed; see `withModules`.
 */
export async function makeProject(place: string): Promise<string> {
  const cwd = mkdtempSync(join(place, 'project-'))
  const put = (path: string, text: string) => writeIn(cwd, path, text)
  const copy = (path: string, from: string) => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    cpSync(join(SYMBOLS, from), join(cwd, path), { recursive: true })
  }
  put(
    'package.json',
    '{ "name": "shop", "version": "1.2.3", "type": "module", "scripts": { "build": "vite build" } }\n',
  )
  put('src/main.ts', SOURCE)
  for (const entry of ['src/main.js', 'src/index.js']) put(entry, SOURCE.replace(/: number/g, ''))
  put('index.html', '<script type="module" src="./src/main.js"></script>\n')
  for (const outfile of ['dist/app.js', '.next/static/chunks/app.js'])
    await build({ absWorkingDir: cwd, entryPoints: ['src/main.ts'], outfile, minify: true, sourcemap: 'external' })
  const stack = 'RangeError: below zero: -1\n    at https://cdn.example.com/shop/app.js:1:45\n'
  put('stack.txt', stack)
  put('event.json', JSON.stringify({ service: 'shop', version: '1.2.3', error: { stack } }))
  // Android
  const obfuscated = 'shop.Cart -> a.a:\n    1:1:int pay(int):12:12 -> a\n'
  for (const path of ['mapping.txt', 'app/build/outputs/mapping/freeRelease/mapping.txt']) put(path, obfuscated)
  put('crash.txt', 'java.lang.RuntimeException: below zero\n\tat a.a.a(SourceFile:1)\n')
  put(
    'app/build.gradle',
    "plugins { id 'com.android.application' }\nandroid {\n  defaultConfig { applicationId 'com.example.shop'; versionCode 42; versionName '1.2.3' }\n  productFlavors { free {}; paid {} }\n}\n",
  )
  copy(
    'app/build/intermediates/merged_native_libs/freeRelease/out/lib/arm64-v8a/libshop.so',
    'native/arm64-v8a/libshop.so',
  )
  copy('obj/arm64-v8a/libshop.so', 'native/arm64-v8a/libshop.so')
  await writeZip(join(cwd, 'app-release.aab'), [
    { name: 'BUNDLE-METADATA/com.android.tools.build.obfuscation/proguard.map', content: join(cwd, 'mapping.txt') },
    { name: 'base/lib/arm64-v8a/libshop.so', content: join(cwd, 'obj/arm64-v8a/libshop.so') },
  ])
  // HarmonyOS
  put('build-profile.json5', '{ app: {}, modules: [{ name: "entry", srcPath: "./entry" }] }\n')
  const release = 'entry/build/default/cache/default/default@CompileArkTS/esmodule/release'
  copy(`${release}/sourceMaps.map`, 'harmony/ossd-25307136-lab1/sourceMaps.release.map')
  copy(`${release}/obfuscation/nameCache.json`, 'harmony/ossd-25307136-lab1/nameCache.release.json')
  // Apple, React Native, Flutter, Electron
  for (const path of ['build/Shop.xcarchive/dSYMs/Shop.dSYM', 'Shop.xcarchive/dSYMs/Shop.dSYM', 'Shop.app.dSYM'])
    copy(path, 'apple/shop-arm64.dylib.dSYM')
  for (const name of ['', '.map', '.packager.map', '.compiler.map'])
    copy(`index.android.bundle${name}`, `react-native/android/index.android.bundle${name}`)
  copy('main.jsbundle', 'react-native/ios/main.jsbundle')
  copy('main.jsbundle.map', 'react-native/ios/main.jsbundle.packager.map')
  copy('build/symbols/app.android-arm64.symbols', 'flutter/app.android-arm64.symbols')
  const module = 'MODULE Linux x86_64 0123456789ABCDEF0123456789ABCDEF0 shop\nFUNC 1000 10 0 pay\n'
  for (const path of ['shop.sym', 'breakpad_symbols/shop/0123456789ABCDEF0123456789ABCDEF0/shop.sym']) put(path, module)
  return cwd
}

/** Replaces the web build with a mini program. */
export async function withMiniProgram(cwd: string): Promise<void> {
  const outfile = 'mini/pages/index.js'
  await build({ absWorkingDir: cwd, entryPoints: ['src/main.ts'], outfile, minify: true, sourcemap: 'external' })
  writeFileSync(join(cwd, 'mini/app.json'), '{ "pages": ["pages/index"] }')
  cpSync(join(cwd, 'mini'), join(cwd, 'dist'), { recursive: true, force: true })
}

/** Programs with the names that the documentation uses: `symup`, and stand-ins for other programs. */
export function makePrograms(place: string): string {
  const bin = join(place, 'bin')
  mkdirSync(bin)
  const command = (args: string[]) => [process.execPath, ...symupArguments(args)].map((word) => `'${word}'`).join(' ')
  const intake = command(['intake']).replace(/ 'intake'$/, '')
  const programs = {
    symup: `if [ "$1" = intake ]; then exec ${intake} "$@"; fi\nexec ${command([])} "$@"`,
    npx: 'exec "$@"',
    // Their output already exists.
    npm: ':',
    next: ':',
    pbpaste: 'cat stack.txt',
  }
  for (const [name, line] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${line}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  return bin
}

/** Lets a project's programs import everything that is installed in the workspace, including our packages. */
export function withModules(cwd: string): void {
  symlinkSync(join(ROOT, 'node_modules'), join(cwd, 'node_modules'), 'dir')
  execFileSync('git', ['init', '-q', '.'], { cwd })
}
