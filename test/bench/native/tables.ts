import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { openBinary } from '../../../packages/core/src/resolving.ts'
import { openNativeSymbols } from '../../../packages/symbolicate/src/dwarf/native-symbols.ts'
import { buildPackages } from '../../support/build-package.ts'
import { Failed, inRounds, timed } from '../measure.ts'
import { installed } from '../peers.ts'
import type { Table } from '../table.ts'
import { randomAddresses, readerProgram } from './reader.ts'

const CACHE = join(tmpdir(), 'symup-bench')
/** Contains the original build of V8 for Android; 93 MB for arm64. */
const PACKAGE = 'v8-android'
const VERSION = '9.93.0'
const LIBRARY = './arm64-v8a/libv8android.so'
const FRAMES = 400
const BASE = 'llvm-symbolizer'
const COMMAND = resolve(import.meta.dirname, '../../../packages/cli/dist/main.js')

/**
 * A crash of 400 frames, each in a new process, compared with llvm-symbolizer. `SYMUP_BENCH_LIBRARY` selects another
 * ELF file with debug information, such as one from Debian's `-dbg` packages.
 */
export async function nativeFramesTable(rounds: number): Promise<Table> {
  const llvm = ['llvm-symbolizer-19', 'llvm-symbolizer'].find((name) => spawnSync(name, ['--version']).status === 0)
  if (llvm === undefined) throw new Failed('llvm-symbolizer, whose time is the measure, is not installed')
  const library = process.env.SYMUP_BENCH_LIBRARY ?? (await unstrippedLibrary())
  const addresses = randomAddresses(library, FRAMES)
  const reader = await readerProgram()
  await buildPackages()
  const scratch = mkdtempSync(join(tmpdir(), 'symup-bench-native-'))
  try {
    const explain = ['explain', await writeCrash(library, addresses, scratch), '--dir', scratch, '--no-config-file']
    const contestants = [
      { name: BASE, command: [llvm, `--obj=${library}`, '--inlines', ...addresses] },
      { name: 'symup, its reader', command: [process.execPath, reader, library, ...addresses] },
      { name: 'symup explain', command: [process.execPath, COMMAND, ...explain, '--json'] },
    ]
    const rows = await inRounds(contestants, Math.max(9, rounds), async ({ name, command }) => {
      const started = performance.now()
      const { cpu, peak, output } = await timed(command, { cwd: scratch, env: {} })
      const wall = (performance.now() - started) / 1000
      const resolved = output.match(/"resolved": \{/g)?.length ?? 0
      if (name === 'symup explain' && resolved < FRAMES) throw new Failed(`${resolved} of ${FRAMES} frames resolved`)
      return { 'wall s': wall, 'CPU s': cpu, 'peak MB': peak }
    })
    const megabytes = openBinary(library).size / 1e6
    return {
      name: 'native-frames',
      title: `${FRAMES} frames of a native library: ${basename(library)}, ${megabytes.toFixed(0)} MB`,
      metrics: [
        { name: 'wall s', digits: 3 },
        { name: 'CPU s', digits: 2 },
        { name: 'peak MB', digits: 0 },
      ],
      rows,
      base: BASE,
      goals: [{ row: 'symup, its reader', metric: 'wall s', atMost: 1 }],
      notes: [
        `Whole processes; ${versionOf(llvm)}.`,
        'Node compiles on other processors at the same time: if those are busy, the time is closer to the CPU time.',
        'symup explain also looks through a directory for the library, starts a thread and writes JSON.',
      ],
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function versionOf(llvm: string): string {
  return /LLVM version \S+/.exec(execFileSync(llvm, ['--version'], { encoding: 'utf8' }))?.[0] ?? llvm
}

/** @throws Failed without a registry. */
async function unstrippedLibrary(): Promise<string> {
  const directory = join(CACHE, `${PACKAGE}-${VERSION}`)
  const library = join(directory, LIBRARY)
  if (existsSync(library)) return library
  const require = await installed(CACHE, { [PACKAGE]: VERSION })
  const archive = `dist/lib.unstripped/${PACKAGE}/${VERSION}/libs.tar.xz`
  const packed = join(dirname(require.resolve(`${PACKAGE}/package.json`)), archive)
  const partial = `${directory}.${process.pid}`
  mkdirSync(partial, { recursive: true })
  try {
    execFileSync('tar', ['-xJf', packed, '-C', partial, LIBRARY], { stdio: ['ignore', 'ignore', 'pipe'] })
    renameSync(partial, directory)
  } catch (error) {
    throw new Failed(`${PACKAGE}'s library could not be unpacked: ${(error as Error).message.slice(0, 200)}`)
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
  return library
}

/**
 * Copies the library to its path in an Android build, and writes a crash in this library next to it.
 * @returns the crash's path.
 */
async function writeCrash(library: string, addresses: readonly string[], directory: string): Promise<string> {
  const name = basename(library).endsWith('.so') ? basename(library) : 'library.so'
  mkdirSync(join(directory, 'arm64-v8a'))
  copyFileSync(library, join(directory, 'arm64-v8a', name))
  const symbols = await openNativeSymbols(openBinary(library))
  symbols.close()
  const frames = addresses.map((address, nth) => {
    const pc = address.slice(2).padStart(16, '0')
    return `      #${String(nth).padStart(2, '0')} pc ${pc}  /data/app/lib/arm64/${name} (BuildId: ${symbols.id})`
  })
  const crash = join(directory, 'crash.txt')
  writeFileSync(crash, ['signal 11 (SIGSEGV), code 1 (SEGV_MAPERR)', 'backtrace:', ...frames, ''].join('\n'))
  return crash
}
