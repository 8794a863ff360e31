import { statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { readPieces } from '../../files/read-pieces.ts'
import { shownPath } from '../../files/shown-path.ts'
import type { Plan, SymbolUpload } from '../../model/plan.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { unreadable } from '../../problems/unreadable.ts'
import { t } from '../../text.ts'
import { type Examined, type Findings, type PlaceInput, type ReleaseInput, releaseFields } from '../kind.ts'
import { filesAt } from '../list-within.ts'
import { notTaken, unpackFirst } from '../not-taken.ts'
import type { ElectronSymbolEvent } from './event.ts'
import { BREAKPAD_MODULE, isBreakpadFile } from './module-line.ts'

export interface BreakpadInput extends ReleaseInput, PlaceInput {
  /** The path of a `.sym` file, or of a directory that contains such files at any depth (`<name>/<id>/<name>.sym`). */
  path: string
}

/**
 * The maximum number of bytes to read. A Breakpad file may start with many FILE records, but the first symbols are well within this limit.
 */
const MAX_BYTES_READ = 64 * 1024 * 1024

const isSymbolFile = (file: string) => file.endsWith('.sym')

/** Plans the upload of Breakpad symbol files, such as those for the native modules of an Electron app. */
export async function collectBreakpad(input: BreakpadInput): Promise<Plan> {
  const cwd = resolve(input.cwd ?? '.')
  const { allowedRoot } = input
  const { files: listed, problems } = await filesAt(input.path, { cwd, allowedRoot, wanted: isSymbolFile })
  if (!listed) return { uploads: [], problems }
  const files = listed.filter(isSymbolFile)
  if (files.length === 0) {
    const fix = notTaken(listed, cwd) ?? unpackFirst(input.path)
    const message = t`No .sym files were found in ${input.path}.`
    return { uploads: [], problems: [...problems, problem('symbols-not-found', message, { fix })] }
  }
  const uploads: SymbolUpload[] = []
  const seen = new Set<string>()
  for (const file of files) {
    const shown = shownPath(file, cwd)
    const facts = await factsOf(file, shown)
    if ('code' in facts) problems.push(facts)
    // Skip a module that another directory also contains, because each module is sent only once.
    if ('code' in facts || seen.has(facts.module)) continue
    seen.add(facts.module)
    const event: ElectronSymbolEvent = { type: 'electron_symbol_file', ...releaseFields(input) }
    const part = { name: 'symbol_file', filename: basename(file), path: file, bytes: facts.bytes }
    uploads.push({ event, parts: [part], member: facts.module })
  }
  return { uploads, problems }
}

export async function examineBreakpad({ directory, own, cwd }: Examined): Promise<Findings> {
  const found: Findings = { files: [], problems: [] }
  for (const file of own) {
    const path = join(directory, file)
    if (file.endsWith('.so.sym') && !(await isBreakpadFile(path))) continue
    const shown = shownPath(path, cwd)
    const facts = await factsOf(path, shown)
    if ('code' in facts) found.problems.push(facts)
    const [, arch, id] = ('code' in facts ? null : BREAKPAD_MODULE.exec(facts.module)) ?? []
    const named = { ...(arch !== undefined && { arch }), ...(id !== undefined && { buildId: id.toUpperCase() }) }
    found.files.push({ path: shown, kind: 'breakpad', bytes: statSync(path).size, ...named })
  }
  return found
}

async function factsOf(path: string, file: string): Promise<{ module: string; bytes: number } | Problem> {
  let module = ''
  let carry = ''
  let looked = 0
  try {
    const { size: bytes } = statSync(path)
    if (bytes === 0) return problem('file-empty', t`The file is empty.`, { file })
    for await (const piece of readPieces(path)) {
      const text = carry + piece.toString('latin1')
      if (module === '') {
        module = /^[^\r\n]*/.exec(text)?.[0] ?? ''
        if (!BREAKPAD_MODULE.test(module))
          return problem('breakpad-invalid', t`The file does not begin with a MODULE line.`, { file })
      }
      if (/\n(?:FUNC|PUBLIC) /.test(text)) return { module, bytes }
      looked += piece.length
      if (looked > MAX_BYTES_READ) break
      carry = text.slice(-16)
    }
  } catch (error) {
    return unreadable('file-unreadable', error, { file })
  }
  return problem('breakpad-invalid', t`The file contains no FUNC or PUBLIC records, so it describes no functions.`, {
    file,
  })
}
