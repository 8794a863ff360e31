import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import {
  type Collected,
  collectArkTs,
  collectBreakpad,
  collectDsyms,
  collectFlutter,
  collectJavaScript,
  collectNdkLibraries,
  collectReactNative,
} from '@symup/core'
import { planMapping } from '../../packages/android/src/plan-mapping.ts'
import { planNativeLibraries } from '../../packages/android/src/plan-native.ts'
import { pack } from '../../packages/mini-program/src/pack.ts'

/** One way in which an adapter reads files from an untrusted directory `tree`. */
export interface Collector {
  name: string
  /** Where the kind's file is searched, below `tree`. */
  file: string
  /** A usable file of the kind. */
  content(): Buffer
  /** Other required files. */
  others?: Readonly<Record<string, string>>
  /** Gradle configures its build directory, and users move it to other disks. */
  mayBuildOutside?: true
  collect(tree: string, temporary: string, allowedRoot?: string): Promise<Collected>
}

const release = { service: 'shop', version: '1.2.3', toolVersion: 'test/0' }
const MAP = { version: 3, sources: ['a.ts'], sourcesContent: ['fail("SECRET")\n'], names: [], mappings: 'AAAA,IAAI' }
const map = () => Buffer.from(JSON.stringify(MAP))
const withRoot = (allowedRoot: string | undefined) => (allowedRoot === undefined ? {} : { allowedRoot })

/** Every collector, with its own form of the file that a link or a name may point to. */
export function collectors(forms: { elf: Buffer; machO: Buffer }): Collector[] {
  const elf = () => forms.elf
  return [
    {
      name: 'web: a map that is a link',
      file: 'app.js.map',
      content: map,
      others: { 'app.js': 'fail("SECRET")\n' },
      collect: (directory, _, allowedRoot) =>
        collectJavaScript({ ...release, directory, minifiedPathPrefix: '/', ...withRoot(allowedRoot) }),
    },
    {
      name: "web: a script of a bundler's list that is a link",
      file: 'app.js',
      content: () => Buffer.from('fail("SECRET")\n'),
      others: { 'app.js.map': JSON.stringify(MAP) },
      collect: (directory, _, allowedRoot) =>
        collectJavaScript({
          ...release,
          directory,
          files: ['app.js', 'app.js.map'],
          minifiedPathPrefix: '/',
          ...withRoot(allowedRoot),
        }),
    },
    {
      name: 'mini-program',
      file: 'pages/index.js.map',
      content: map,
      others: { 'app.json': '{"pages":[]}', 'pages/index.js': 'fail("SECRET")\n' },
      async collect(tree, temporary, allowedRoot) {
        const { archive, bytes, problems } = await pack(tree, {
          output: join(temporary, 'maps.zip'),
          ...withRoot(allowedRoot),
        })
        const part = { name: 'sourcemap_archive', filename: 'a', path: archive ?? '', bytes }
        const event = { type: 'miniprogram_sourcemap' as const, cli_version: '', service: 's', version: '1' }
        return { uploads: archive === undefined ? [] : [{ event, parts: [part] }], problems }
      },
    },
    {
      name: 'Gradle: mapping',
      file: 'build/outputs/mapping/release/mapping.txt',
      mayBuildOutside: true,
      content: () => Buffer.from('com.example.SECRET -> a.a:\n    1:1:void fail():3:3 -> a\n'),
      collect: (directory, temporaryDirectory, allowedRoot) =>
        planMapping(
          {
            directory,
            usualMappingFiles: [join(directory, 'build/outputs/mapping/release/mapping.txt')],
            temporaryDirectory,
            ...withRoot(allowedRoot),
          },
          { ...release, variant: 'release' },
        ),
    },
    {
      name: 'Gradle: native libraries',
      file: 'build/intermediates/merged_native_libs/release/out/lib/x64/libshop.so',
      mayBuildOutside: true,
      content: elf,
      collect: (directory, _, allowedRoot) =>
        planNativeLibraries(
          {
            task: 'upload-ndk',
            variant: 'release',
            directory,
            settings: {},
            build: {},
            nativeBuilds: [[join(directory, 'build/intermediates/merged_native_libs/release')]],
            directories: [],
          } as unknown as Parameters<typeof planNativeLibraries>[0],
          { ...release, variant: 'release' },
          allowedRoot,
        ),
    },
    {
      name: 'android upload-ndk',
      file: 'obj/libshop.so',
      content: elf,
      collect: (tree, _, allowedRoot) =>
        collectNdkLibraries({ ...release, variant: 'release', paths: [tree], cwd: tree, ...withRoot(allowedRoot) }),
    },
    {
      name: 'harmony: map of a module',
      file: 'entry/build/default/outputs/default/symbol/release/entry-sourceMaps.map',
      content: () => Buffer.from(JSON.stringify({ 'entry|entry|1.0.0|src/SECRET.ets': MAP })),
      collect: (tree, _, allowedRoot) =>
        collectArkTs({ ...release, paths: [tree], cwd: tree, ...withRoot(allowedRoot) }),
    },
    {
      name: 'harmony: native library',
      file: 'entry/build/default/intermediates/libs/default/x64/libshop.so',
      content: elf,
      collect: (tree, _, allowedRoot) =>
        collectArkTs({ ...release, paths: [tree], cwd: tree, ...withRoot(allowedRoot) }),
    },
    {
      name: 'dSYM',
      file: 'Shop.app.dSYM/Contents/Resources/DWARF/Shop',
      content: () => forms.machO,
      collect: (path, temporaryDirectory, allowedRoot) =>
        collectDsyms({ paths: [path], temporaryDirectory, cwd: path, toolVersion: 'test/0', ...withRoot(allowedRoot) }),
    },
    {
      name: 'flutter',
      file: 'app.android-x64.symbols',
      content: elf,
      collect: (path, _, allowedRoot) => collectFlutter({ ...release, path, ...withRoot(allowedRoot) }),
    },
    {
      name: 'electron',
      file: 'shop/shop.sym',
      content: () => Buffer.from('MODULE Linux x86_64 000102030405060708090A0B0C0D0E0F0 SECRET\nFUNC 1000 10 0 main\n'),
      collect: (path, _, allowedRoot) => collectBreakpad({ ...release, path, ...withRoot(allowedRoot) }),
    },
    {
      name: 'react-native: the map beside a bundle',
      file: 'main.jsbundle.map',
      content: map,
      others: { 'main.jsbundle': 'fail("SECRET")\n' },
      collect: (tree, _, allowedRoot) =>
        collectReactNative({
          ...release,
          cwd: tree,
          bundle: 'main.jsbundle',
          platform: 'ios',
          buildVersion: '1',
          ...withRoot(allowedRoot),
        }),
    },
  ]
}

export function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

/** A relative link, as people create them. */
export function link(path: string, target: string): void {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(relative(dirname(path), target), path)
}
