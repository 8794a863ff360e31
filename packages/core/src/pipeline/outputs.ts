import { nameBelow } from '../files/name-below.ts'
import { mapOf } from '../kinds/index.ts'
import type { KnownFiles } from '../leaks/known-files.ts'
import type { FilePart, SymbolUpload } from '../model/plan.ts'
import type { OutcomeStatus } from '../model/report.ts'
import type { Settings } from '../settings/settings.ts'

/** The files that a build wrote below one output directory. */
export interface BuildOutput {
  /** Absolute path. */
  directory: string
  /** Relative to the directory, `/`-separated. */
  files: ReadonlySet<string>
  /** The files that may be deleted after the upload. */
  deletable: ReadonlySet<string>
  /**
   * Leave no deletable source map here, regardless of the upload's result: unsent maps are moved to the cache directory, and unneeded
   * ones are deleted. Default false: a map stays until it is uploaded.
   */
  clears?: boolean
  /** File contents by name, if the build keeps them in memory and its caller writes them. Default: the files are on disk. */
  contents?: ReadonlyMap<string, Uint8Array>
  /**
   * Other builds write into the directory at the same time, so other files there belong to them. A function returns the
   * current state. Default false.
   */
  shared?: boolean | (() => boolean)
  /**
   * Absolute paths of other files that may contain hashes of these files, for example for subresource integrity. Hashed
   * files stay unchanged. Default: none.
   */
  hashedIn?: readonly string[]
}

/** A collected artifact, with the result of its upload. */
export interface Artifact {
  upload: SymbolUpload
  /** Undefined if it has not been sent yet. */
  status?: OutcomeStatus | undefined
}

/** The state of a run at its end, which the clean-up needs. Omitted flags are false. */
export interface RunState {
  outputs: readonly BuildOutput[]
  artifacts: readonly Artifact[]
  /** Incomplete if the configuration is unusable. */
  settings: Partial<Settings>
  /** Project directory, which is the base for displayed paths. */
  root: string
  /** Directory in which the user will run a command. Default: the working directory. */
  workingDirectory?: string
  /** Version of the command to run with npx. */
  toolVersion: string
  /** Whether the configuration is unusable, or the key is missing. */
  sendsNothing?: boolean
  /** Search the outputs only for the API key, because source maps are there for the upload. */
  keyOnly?: boolean
  dryRun?: boolean
  /** Whether the upload was postponed. One command then sends everything. */
  later?: boolean
  /** Whether the uploads contain the commit. */
  git?: boolean
  /** A command uploads: the user can repeat it, and it is unknown which maps the build wrote. */
  isCommand?: boolean
  /** Source maps that stay in the outputs are an error. Otherwise they may be kept on purpose, and one line lists them. */
  mapsMustGo?: boolean
  /** Every leak is an error, even possibly intended ones, and so are source maps that stay. */
  strictFindings?: boolean
  /** Files that were searched during the upload. */
  known?: KnownFiles | undefined
}

/**
 * The output that contains the files of collected artifacts on disk. Their source maps may be deleted.
 * @param directory absolute.
 */
export function outputOf(directory: string, uploads: readonly SymbolUpload[]): BuildOutput {
  const named = (parts: readonly (FilePart | undefined)[]) =>
    new Set(parts.flatMap((part) => (part && part.content === undefined ? [nameBelow(directory, part.path)] : [])))
  return { directory, files: named(uploads.flatMap(({ parts }) => parts)), deletable: named(uploads.map(mapOf)) }
}
