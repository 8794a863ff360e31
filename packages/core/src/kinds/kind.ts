import type { CheckedFile } from '../model/check.ts'
import type { Platform, UploadEvent } from '../model/event.ts'
import type { Line } from '../model/line.ts'
import type { FilePart, Plan, SymbolUpload } from '../model/plan.ts'
import type { Problem } from '../problems/problems.ts'
import type { ComparedFiles } from '../proof/prove.ts'
import type { Inferred } from '../settings/infer.ts'
import type { FileContent } from './file-content.ts'

/** A kind of symbol file that an intake accepts. */
export interface AcceptedKind<E extends UploadEvent = UploadEvent> {
  /** The protocol's `event.type`. */
  type: E['type']
  /** Display name: the inspector's label, and the first column of tables. */
  label: string
  /** The platform under which it is listed, unless {@link accept} returns another. */
  platform: Platform
  event: {
    /** Required metadata fields. Each must be a non-empty string. */
    required: readonly string[]
    /** False if the address alone identifies an artifact within a release. Default true. */
    tellsApart?: boolean
  }
  /** Required and optional file parts. */
  parts: { required: readonly string[]; optional?: readonly string[] }
  /** The format of the first required part, if it can be recognized from the first bytes. */
  content?: FileContent
  /** Validates a received upload. Omitted if only names and sizes can be checked. */
  accept?(upload: ReceivedUpload): Promise<Accepted | Refusal | undefined>
}

/** An upload that an intake received. Nothing in it is trusted. */
export interface ReceivedUpload {
  event: Readonly<Record<string, unknown>>
  /** File parts by name. No part is empty, and all required parts are present. */
  parts: ReadonlyMap<string, ReceivedPart>
}

export interface ReceivedPart {
  /** Path of a file with the content. */
  readonly path: string
  readonly bytes: number
  /** The content, if it is in memory. */
  readonly content?: Buffer
}

/** Facts found in an upload, all optional. */
export interface Accepted {
  /** URL or path that stacks contain and that identifies the upload. */
  address?: string
  fileName?: string
  buildId?: string
  platform?: Platform
  /** Distinguishes the upload from other uploads with the same event. */
  identity?: readonly string[]
}

/** Why an upload is rejected. */
export interface Refusal {
  /** The invalid part or field, for example `event.version`. */
  refused: string
  why?: string
}

/** What other code needs to know about a kind's files. Code outside the kinds compares no types, paths or part names. */
export interface Traits {
  /** Name of the part with the deployed file. Stack frames refer to this file. */
  script?: string
  /** Name of the part with the source map. It must not be deployed. */
  map?: string
  /** Whether a web server delivers its files. If so, the leak guard searches them for the API key, and the upload contains the commit. */
  ships?: true
  /** Whether positions in a script can be compared with its map. Default: no. */
  proves?(script: FilePart): boolean
  /** Whether a path is a script, judged by its name alone. Default: no. */
  isScript?(path: string): boolean
}

/** The script and the source map of an artifact. */
export function partsOf({ script, map }: Traits, parts: readonly FilePart[]): Partial<ComparedFiles> {
  const part = (wanted: string | undefined) => parts.find(({ name }) => name === wanted)
  return { script: part(script), map: part(map) }
}

/** The files of an artifact to compare; undefined if the artifact is not checked. */
export function comparedFiles(traits: Traits, parts: readonly FilePart[]): ComparedFiles | undefined {
  const { script, map } = partsOf(traits, parts)
  return script && map && traits.proves?.(script) ? { script, map } : undefined
}

/** A kind of symbol file that symup sends, with its traits. */
export interface Kind<E extends UploadEvent = UploadEvent, I extends object = object, F extends object = object>
  extends AcceptedKind<E> {
  /** Default: no traits. This is right for symbols, which are never deployed. */
  traits?: Traits
  /** Finds the artifacts to send. Expected failures become problems in the plan. */
  collect(input: I): Promise<Collected>
  /** How `symup check` examines the kind's files. */
  check?: KindCheck
  /** The command that uploads it. Omitted if another kind's command also uploads this kind. */
  command?: KindCommand<I, F>
  /** A readable identification of an artifact within its service and version. */
  place(event: E): string
  /** The address of the deployed file, which begins with the path prefix. Default: the kind has no addresses. */
  address?(event: E): string
  /** Flags for the command that collects an artifact's files again from a copy. Default: no artifact is staged. */
  flagsOf?(event: E): Readonly<Record<string, string>>
  /** Finds artifacts by file names alone, for a process that is about to end. Default: none. @param files relative to the directory. */
  pairsByName?(directory: string, files: ReadonlySet<string>, release: NamedRelease): SymbolUpload[]
}

/** The release for files with known names. */
export type NamedRelease = Pick<CollectedRelease, 'service' | 'version' | 'minifiedPathPrefix'>

/** The result of collecting. */
export interface Collected extends Plan {
  /** The searched directories or single files, the base for `include` and `exclude`. */
  directories?: readonly string[]
  /** Lines to show before the check. */
  details?: readonly Line[]
}

/** The artifacts' release, and the tool that sends them. */
export interface ReleaseInput {
  service: string
  /** The version that the app reports. */
  version: string
  /** Version of the sending tool, sent as `cli_version`. */
  toolVersion: string
}

/** The release of files that are only examined and not sent. */
export const NO_RELEASE = {
  service: '',
  version: '',
  toolVersion: '',
  variant: '',
  buildVersion: '',
  minifiedPathPrefix: '/',
}

/** The metadata for an artifact that belongs to a release. */
export function releaseFields({ toolVersion, service, version }: ReleaseInput) {
  return { cli_version: toolVersion, service, version }
}

/** The project directory and files that a kind collects from. */
export interface PlaceInput {
  /** Base of relative paths, and of paths in problems. Default: the working directory. */
  cwd?: string
  /** Other allowed target for links and file references. Absolute. */
  allowedRoot?: string
}

/** The target of `symup check`. */
export interface CheckTarget {
  /** Absolute. */
  directory: string
  /** Files to examine, relative to the directory, `/`-separated. */
  files: readonly string[]
  /** Whether the target is a single file. `files` then contains it and its companions. */
  single: boolean
  /** Base of file names in findings. */
  cwd: string
  /** Other allowed target for links. Absolute. */
  allowedRoot?: string | undefined
}

/** Findings about files. `summary` lines are printed after the table. */
export interface Findings {
  files: CheckedFile[]
  problems: Problem[]
  summary?: Line[]
}

export interface Examined extends CheckTarget {
  /** The files that are of this kind. */
  own: readonly string[]
}

export interface KindCheck {
  /**
   * Whether a file is of this kind, judged by its `/`-separated path.
   * @param single whether the user passed this file itself, which allows a bolder guess.
   */
  isOne(file: string, single: boolean): boolean
  /** Whether checking a file needs another one, such as a script's map. Default: no. */
  belongs?(other: string, file: string): boolean
  /** Examines files of its kind. Never throws because of their content. */
  examine(target: Examined): Promise<Findings>
}

/** A command's flag, as data. */
export interface KindFlag {
  /** As shown in the help: `--variant <name>`. */
  flags: string
  description: string
  /** The allowed values. */
  choices?: readonly string[]
  /** The value must be an integer in this range. */
  range?: readonly [number, number]
  /** The value is `prefix=alias`. May be repeated. */
  isPairs?: boolean
  /** Also shown in the help of `symup upload`, which accepts the flags of all kinds. */
  isCommon?: boolean
}

export interface CommandGroup {
  name: string
  description: string
}

/** A command that uploads one kind of file: `symup <group> <name> <argument>`. */
export interface KindCommand<I, F> {
  group: CommandGroup
  /** Default `upload`. */
  name?: string
  /** For example `<dir>`, or `<path...>` for several. */
  argument: string
  argumentDescription: string
  /** The argument is a single file, never a directory. Default false. */
  takesFile?: boolean
  description: string
  /** By property name: `versionCode` for `--version-code <n>`, `proof` for `--no-proof`. */
  flags?: Readonly<Record<string, KindFlag>>
  /** Lines for the help. */
  examples: readonly string[]
  /** A step to run before `collect`. Default: none. */
  setUp?: 'gradle-mapping' | 'gradle-libraries' | 'archive'
  /** Whether the path prefix is required. Default false. */
  needsPrefix?: boolean
  /** Whether service and version are required. Default true. */
  needsRelease?: boolean
  /** Service and version from the project itself, for values that the user omits. */
  inferred?(given: CommandLine<F>, cwd: string): InferredRelease | Promise<InferredRelease>
  /** Additional problems that make the command unusable. */
  problems?(given: CommandLine<F>): Problem[]
  /** The input for `collect`. Omitted if another package provides it, as for Gradle builds. */
  input?(given: CommandContext<F>): I
}

/** The user's command line. */
export interface CommandLine<F> {
  /** The arguments; at least one. */
  paths: readonly [string, ...string[]]
  flags: F
}

/** Values from a project's own files, with their sources. */
export type InferredRelease = Partial<Record<'service' | 'version', Inferred>>

/** The settings that collecting needs as plain values. */
export interface CollectedRelease extends ReleaseInput, PlaceInput {
  /** '' if there is none. */
  minifiedPathPrefix: string
  /** Absolute path of the project directory. */
  cwd: string
  /** Whether nothing will be sent. */
  dryRun: boolean
}

export interface CommandContext<F> extends CommandLine<F>, CollectedRelease {
  /** Exists until everything is sent. */
  temporaryDirectory: string
}

/** Defines a kind that symup sends. Its folder's `index.ts` exports it, and `kinds/index.ts` lists it. */
export function defineKind<E extends UploadEvent, I extends object, F extends object = object>(
  kind: Kind<E, I, F> & Named<E, F>,
): Kind<E, I, F> {
  return kind
}

/** This makes the compiler check that fields and flags exist in the types. */
interface Named<E, F> {
  event: { required: readonly (keyof E & string)[] }
  command?: { flags?: { [K in keyof F]-?: KindFlag } }
}

/** Defines a kind that an intake accepts from other clients and that symup does not send. */
export function acceptedKind(type: string, label: string, platform: Platform, more: Partial<AcceptedKind> = {}) {
  return { type, label, platform, event: { required: [] }, parts: { required: [type] }, ...more } satisfies AcceptedKind
}
