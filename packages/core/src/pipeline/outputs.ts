import { nameBelow } from '../files/name-below.ts'
import { mapOf } from '../kinds/index.ts'
import type { FilePart, SymbolUpload } from '../model/plan.ts'
import type { OutcomeStatus } from '../model/report.ts'
import type { Settings } from '../settings/settings.ts'

export interface BuildOutput {
  /** The absolute path of the directory. */
  directory: string
  /** The names of the files relative to the directory, with `/` as the separator. */
  files: ReadonlySet<string>
  deletable: ReadonlySet<string>
  /**
   * Whether to remove all deletable source maps, regardless of the upload's result. Unsent maps are then moved to the cache directory, and
   * unneeded maps are deleted. By default, a map stays until it is uploaded.
   */
  clears?: boolean
  /**
   * The contents of the files, keyed by name, if the build keeps them in memory and the caller writes them. By default, the files are on
   * disk.
   */
  contents?: ReadonlyMap<string, Uint8Array>
  /**
   * Whether other builds write to the directory at the same time. Other files in the directory may then belong to those builds. If the
   * value is a function, it returns the current state. Default: false.
   */
  shared?: boolean | (() => boolean)
  /**
   * The absolute paths of other files that may contain hashes of the output's files, for example for subresource integrity. Hashed files
   * stay unchanged.
   */
  hashedIn?: readonly string[]
}

export interface Artifact {
  upload: SymbolUpload
  /** Undefined if the artifact has not been sent yet. */
  status?: OutcomeStatus | undefined
}

/** The state at the end of a run, which the clean-up needs. Flags default to false. */
export interface RunState {
  outputs: readonly BuildOutput[]
  artifacts: readonly Artifact[]
  /** The settings found so far. Settings may be missing if the configuration is unusable. */
  settings: Partial<Settings>
  /** The project directory, which is the base for displayed paths. */
  root: string
  /** The directory in which the user will run the displayed commands. Default: the working directory. */
  workingDirectory?: string
  /** The symup version for `npx` commands. */
  toolVersion: string
  /** Whether nothing can be sent because the configuration is unusable or the key is missing. */
  sendsNothing?: boolean
  /** Whether to search the outputs only for the API key. Set this option if the source maps in the outputs exist only for the upload. */
  keyOnly?: boolean
  dryRun?: boolean
  /** Whether the artifacts are staged for a later upload with a single command. */
  later?: boolean
  git?: boolean
  /**
   * Whether the upload is performed by a command, not by a build. Commands can be repeated, and they do not know which maps the build
   * wrote.
   */
  isCommand?: boolean
  /**
   * Whether source maps that remain in the outputs are treated as errors. By default, symup assumes that the user wants to keep the maps,
   * and lists them in one line.
   */
  mapsMustGo?: boolean
  /** Whether every leak is treated as an error, including remaining source maps and leaks that may be intentional. */
  strictFindings?: boolean
}

/**
 * Describes the output that contains the files of collected artifacts on disk. Source maps of the artifacts may be deleted.
 * @param directory an absolute path.
 */
export function outputOf(directory: string, uploads: readonly SymbolUpload[]): BuildOutput {
  const named = (parts: readonly (FilePart | undefined)[]) =>
    new Set(parts.flatMap((part) => (part && part.content === undefined ? [nameBelow(directory, part.path)] : [])))
  return { directory, files: named(uploads.flatMap(({ parts }) => parts)), deletable: named(uploads.map(mapOf)) }
}
