import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useDirectory } from '../../../../test/support/directory.ts'
import { needs } from '../../../../test/support/tool.ts'

const root = resolve(import.meta.dirname, '../../../..')
const sources = ['part1.cpp', 'part2.cpp'].map((name) => join(root, 'fixtures/symbols/rich', name))
const scratch = useDirectory()

const isThere = (tool: string) => spawnSync(tool, ['--version']).status === 0
const GCC = 'g++'
const DWZ = 'dwz'
const compilers = [GCC, 'clang++-14', 'clang++-19'].filter(isThere)
const tools = needs(
  'gcc, clang, dwz and llvm-symbolizer 19',
  compilers.length === 3 && isThere('llvm-symbolizer-19') && isThere(DWZ),
  'Debian: g++ clang-14 clang-19 llvm-19 dwz',
)

const FLAGS = ['-std=c++17', '-fPIC', '-fno-exceptions', '-fno-rtti', '-Wl,--build-id=sha1']
const VERSIONS = ['-gdwarf-2', '-gdwarf-3', '-gdwarf-4', '-gdwarf-5']
const LEVELS = ['-O0', '-O2']
const SHAPES = [
  ['-gdwarf-4', '-O2', '-gsplit-dwarf'],
  ['-gdwarf-5', '-O2', '-gsplit-dwarf'],
  ['-gdwarf-5', '-O2', '-ffunction-sections', '-Wl,--gc-sections'],
  ['-gdwarf-5', '-O2', '-gz'],
]

/** The fixture has one library for each compiler and set of flags. */
function buildAll(): string[] {
  const shapes = [...VERSIONS.flatMap((version) => LEVELS.map((level) => [version, level])), ...SHAPES]
  return compilers.flatMap((compiler, which) =>
    shapes.map((flags, index) => {
      const directory = join(scratch, `${which}-${index}`)
      mkdirSync(directory)
      const run = (...args: string[]) => execFileSync(compiler, args, { cwd: directory, stdio: 'pipe' })
      const objects = sources.map((source, part) => {
        run(...FLAGS, '-g', ...flags, '-c', source, '-o', `part${part}.o`)
        return `part${part}.o`
      })
      run('-shared', ...FLAGS, ...flags, ...objects, '-o', 'lib.so')
      return join(directory, 'lib.so')
    }),
  )
}

/**
 * The fixture has two gcc libraries for each DWARF version. dwz moves their common parts to a third file, and each
 * original stays next to them.
 */
function buildShared(): string[] {
  return ['-gdwarf-4', '-gdwarf-5'].flatMap((version) => {
    const directory = join(scratch, `dwz${version}`)
    mkdirSync(directory)
    const libraries = ['-O1', '-O2'].map((level) => {
      const path = join(directory, `lib${level}.so`)
      execFileSync(GCC, ['-shared', ...FLAGS, '-g', version, level, ...sources, '-o', path])
      copyFileSync(path, `${path}.whole`)
      return path
    })
    execFileSync(DWZ, ['-m', 'common.dwz', '-M', 'common.dwz', ...libraries], { cwd: directory })
    return libraries
  })
}

describe.skipIf(!tools.isThere)(`frames compared with llvm-symbolizer's${tools.reason}`, () => {
  it('finds equal frames at 50,000 addresses in 40 libraries: DWARF 2 to 5, with and without optimization, split, collected, compressed, shared by dwz', () => {
    const compare = join(root, 'test/bench/native/compare.ts')
    const args = [
      'scripts/run.js',
      compare.slice(root.length + 1),
      '--addresses',
      '2000',
      ...buildAll(),
      ...buildShared(),
    ]
    const { stdout, status } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
    const [, addresses, images, different] =
      /^(\d+) addresses of (\d+) images compared, (\d+) different$/m.exec(stdout) ?? []
    expect({ images: Number(images), different: Number(different), status }, stdout.slice(-4000)).toEqual({
      images: 40,
      different: 0,
      status: 0,
    })
    expect(Number(addresses)).toBeGreaterThan(50_000)
  }, 600_000)
})
