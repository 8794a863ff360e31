import type { CheckedFile } from '../model/check.ts'
import type { Platform, UploadEvent } from '../model/event.ts'
import type { Line } from '../model/line.ts'
import type { FilePart, Plan, SymbolUpload } from '../model/plan.ts'
import type { Problem } from '../problems/problems.ts'
import type { ComparedFiles } from '../proof/prove.ts'
import type { Inferred } from '../settings/infer.ts'
import type { FileContent } from './file-content.ts'

export interface AcceptedKind<E extends UploadEvent = UploadEvent> {
  /** The value of `event.type` in the protocol. */
  type: E['type']
  /** The name in the inspector and in the first column of tables. */
  label: string
  /** The platform under which uploads are listed, unless {@link accept} returns another one. */
  platform: Platform
  event: {
    /** The metadata fields that must be non-empty strings. */
    required: readonly string[]
    /**
     * Whether the metadata fields distinguish artifacts with the same address. Set to false if the address alone identifies an artifact
     * within a release.
     * @default true
     */
    tellsApart?: boolean
  }
  parts: { required: readonly string[]; optional?: readonly string[] }
  /** The format of the first required part. Omitted if the format cannot be determined from the leading bytes. */
  content?: FileContent
  /** Validates a received upload. A kind omits `accept` if only the names and sizes of the parts can be checked. */
  accept?(upload: ReceivedUpload): Promise<Accepted | Refusal | undefined>
}

/** An upload that an intake received. The content of an upload is not trusted. */
export interface ReceivedUpload {
  event: Readonly<Record<string, unknown>>
  /** The file parts, keyed by name. All required parts are present, and no part is empty. */
  parts: ReadonlyMap<string, ReceivedPart>
}

export interface ReceivedPart {
  /** The path of a file that contains the part. */
  readonly path: string
  readonly bytes: number
  /** The content of the part, if it is in memory. */
  readonly content?: Buffer
}

export interface Accepted {
  /** The URL or path of the uploaded file, as it appears in stacks. */
  address?: string
  fileName?: string
  buildId?: string
  platform?: Platform
  /** Additional values that distinguish uploads with the same metadata. */
  identity?: readonly string[]
}

export interface Refusal {
  /** The part or field that is invalid, such as `event.version`. */
  refused: string
  why?: string
}

/** Describes how the files of a kind are used, so that other code does not depend on types, paths or part names. */
export interface Traits {
  /** The name of the part that contains the deployed file. Stack frames refer to this file. */
  script?: string
  /** The name of the part that contains the source map, which must not be deployed. */
  map?: string
  /**
   * Whether a web server delivers the files. The leak guard searches such files for the API key, and uploads of such files contain the
   * commit.
   */
  ships?: true
  /**
   * Returns whether the positions in a script can be compared with its map.
   * @default never
   */
  proves?(script: FilePart): boolean
  /**
   * Returns whether a path is a script, based only on its name.
   * @default never
   */
  isScript?(path: string): boolean
}

export function partsOf({ script, map }: Traits, parts: readonly FilePart[]): Partial<ComparedFiles> {
  const part = (wanted: string | undefined) => parts.find(({ name }) => name === wanted)
  return { script: part(script), map: part(map) }
}

/** Returns the files to compare for an artifact, or undefined if the positions in the artifact are not checked. */
export function comparedFiles(traits: Traits, parts: readonly FilePart[]): ComparedFiles | undefined {
  const { script, map } = partsOf(traits, parts)
  return script && map && traits.proves?.(script) ? { script, map } : undefined
}

export interface Kind<E extends UploadEvent = UploadEvent, I extends object = object, F extends object = object>
  extends AcceptedKind<E> {
  /** Omitted for symbol files, which are never deployed. */
  traits?: Traits
  /** Finds the artifacts to send. Expected failures are reported as problems in the plan. */
  collect(input: I): Promise<Collected>
  check?: KindCheck
  /** The command that uploads this kind. Undefined if another kind's command uploads it. */
  command?: KindCommand<I, F>
  /** Returns a human-readable string that identifies an artifact within its service and version. */
  place(event: E): string
  /**
   * Returns the deployed file's address, which starts with the path prefix.
   * @default the kind has no addresses
   */
  address?(event: E): string
  /**
   * Returns the flags that the command needs to collect an artifact again from a copy of its files.
   * @default artifacts of this kind are not staged
   */
  flagsOf?(event: E): Readonly<Record<string, string>>
  /**
   * Finds artifacts only by file name, for a process that is about to exit.
   * @param files paths relative to the directory.
   * @default no artifacts are found
   */
  pairsByName?(directory: string, files: ReadonlySet<string>, release: NamedRelease): SymbolUpload[]
}

export type NamedRelease = Pick<CollectedRelease, 'service' | 'version' | 'minifiedPathPrefix'>

export interface Collected extends Plan {
  /** The searched directories or files. `include` and `exclude` are relative to these paths. */
  directories?: readonly string[]
  /** Lines to print before the results of the check. */
  details?: readonly Line[]
}

export interface ReleaseInput {
  service: string
  /** The version that the app reports. */
  version: string
  /** The version of the sending tool, which is sent as `cli_version`. */
  toolVersion: string
}

/** A placeholder release for files that are examined but not sent. */
export const NO_RELEASE = {
  service: '',
  version: '',
  toolVersion: '',
  variant: '',
  buildVersion: '',
  minifiedPathPrefix: '/',
}

export function releaseFields({ toolVersion, service, version }: ReleaseInput) {
  return { cli_version: toolVersion, service, version }
}

export interface PlaceInput {
  /**
   * The base for relative paths and for paths in problem messages.
   * @default the working directory
   */
  cwd?: string
  /** The absolute path of another directory that links and file references may point to. */
  allowedRoot?: string
}

export interface CheckTarget {
  /** The absolute path of the directory. */
  directory: string
  /** The files to examine, as paths relative to the directory, with `/` as the separator. */
  files: readonly string[]
  /** Whether the user passed a single file. In that case, `files` contains the file and its related files. */
  single: boolean
  /** The base for file names in findings. */
  cwd: string
  /** The absolute path of another directory that links may point to. */
  allowedRoot?: string | undefined
}

/** The results of a check. The `summary` lines are printed after the table of files. */
export interface Findings {
  files: CheckedFile[]
  problems: Problem[]
  summary?: Line[]
}

export interface Examined extends CheckTarget {
  /** The files that belong to this kind, as a subset of `files`. */
  own: readonly string[]
}

export interface KindCheck {
  /**
   * Returns whether a file belongs to the kind, based on its path, which uses `/` as the separator.
   * @param single whether the user passed the file explicitly, in which case less evidence is needed.
   */
  isOne(file: string, single: boolean): boolean
  /**
   * Returns whether another file is needed to check a file, such as the map of a script.
   * @default never
   */
  belongs?(other: string, file: string): boolean
  /** Examines the files of this kind. Invalid content is reported as a problem and never causes an exception. */
  examine(target: Examined): Promise<Findings>
}

export interface KindFlag {
  /** The flag as shown in the help, such as `--variant <name>`. */
  flags: string
  description: string
  choices?: readonly string[]
  /** The range of allowed integers. */
  range?: readonly [number, number]
  /** Whether the value has the form `prefix=alias` and can be repeated. */
  isPairs?: boolean
  /** Whether the flag is also listed in the help of `symup upload`, which accepts the flags of all kinds. */
  isCommon?: boolean
}

export interface CommandGroup {
  name: string
  description: string
}

/** A command that uploads one kind of file: `symup <group> <name> <argument>`. */
export interface KindCommand<I, F> {
  group: CommandGroup
  /** @default 'upload' */
  name?: string
  /** The argument as shown in the help: `<dir>`, or `<path...>` if several paths are accepted. */
  argument: string
  argumentDescription: string
  /** If true, `symup upload` passes the matching files in a directory instead of the directory itself. Default: false. */
  takesFile?: boolean
  description: string
  /** The flags, keyed by property name: `versionCode` for `--version-code <n>`, and `proof` for `--no-proof`. */
  flags?: Readonly<Record<string, KindFlag>>
  examples: readonly string[]
  /**
   * A step that runs before `collect`.
   * @default none
   */
  setUp?: 'gradle-mapping' | 'gradle-libraries' | 'archive'
  /**
   * Whether the user must set the path prefix.
   * @default false
   */
  needsPrefix?: boolean
  /**
   * Whether the user must set the service and version.
   * @default true
   */
  needsRelease?: boolean
  /** Reads the service and version from the project if the user omits them. */
  inferred?(given: CommandLine<F>, cwd: string): InferredRelease | Promise<InferredRelease>
  /** Checks the arguments and flags. The command does not run if a problem is found. */
  problems?(given: CommandLine<F>): Problem[]
  /** Converts the command line to the input of `collect`. Omitted if another package provides the input, for example for Gradle builds. */
  input?(given: CommandContext<F>): I
}

export interface CommandLine<F> {
  paths: readonly [string, ...string[]]
  flags: F
}

/** Values from the project's own files, and the source of each value. */
export type InferredRelease = Partial<Record<'service' | 'version', Inferred>>

export interface CollectedRelease extends ReleaseInput, PlaceInput {
  /** Empty if no prefix is set. */
  minifiedPathPrefix: string
  /** The absolute path of the project directory. */
  cwd: string
  dryRun: boolean
}

export interface CommandContext<F> extends CommandLine<F>, CollectedRelease {
  /** The path of a temporary directory that exists until all uploads are complete. */
  temporaryDirectory: string
}

/**
 * Type-checks the definition of a kind that symup sends. The `index.ts` in the kind's directory exports the kind, and `kinds/index.ts`
 * lists it.
 */
export function defineKind<E extends UploadEvent, I extends object, F extends object = object>(
  kind: Kind<E, I, F> & Named<E, F>,
): Kind<E, I, F> {
  return kind
}

/** The compiler uses this type to check that the fields and flags exist. */
interface Named<E, F> {
  event: { required: readonly (keyof E & string)[] }
  command?: { flags?: { [K in keyof F]-?: KindFlag } }
}

/** Defines a kind that an intake accepts from other clients but symup does not send. */
export function acceptedKind(type: string, label: string, platform: Platform, more: Partial<AcceptedKind> = {}) {
  return { type, label, platform, event: { required: [] }, parts: { required: [type] }, ...more } satisfies AcceptedKind
}
