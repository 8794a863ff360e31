import type { CheckedFile } from '../model/check.ts'
import type { Platform, UploadEvent } from '../model/event.ts'
import type { Line } from '../model/line.ts'
import type { Plan } from '../model/plan.ts'
import type { Problem } from '../problems/problems.ts'
import type { FileContent } from './file-content.ts'

/** A kind of symbol file that an intake takes. */
export interface AcceptedKind<E extends UploadEvent = UploadEvent> {
  /** `event.type` on the wire. */
  type: E['type']
  /** What people call it: the inspector's label, a table's first column. */
  label: string
  /** What it is listed under, unless {@link accept} knows better. */
  platform: Platform
  event: {
    /** Metadata that an upload must carry, each a non-empty string. */
    required: readonly string[]
    /** False where the address alone tells artifacts of a release apart, whatever else their events say. Default true. */
    tellsApart?: boolean
  }
  /** File parts that must be there, and those that may. */
  parts: { required: readonly string[]; optional?: readonly string[] }
  /** What the first required part looks like from its first bytes, where that is certain. */
  content?: FileContent
  /** Reads what an intake received of it. Left out where names and sizes are all that can be checked. */
  accept?(upload: ReceivedUpload): Promise<Accepted | Refusal | undefined>
}

/** An upload as an intake received it. Nothing in it is to be believed. */
export interface ReceivedUpload {
  event: Readonly<Record<string, unknown>>
  /** Each file part, by its name; none is empty, and all that are required are there. */
  parts: ReadonlyMap<string, ReceivedPart>
}

export interface ReceivedPart {
  /** Of a file with its content. */
  readonly path: string
  readonly bytes: number
  /** Where it is in memory already. */
  readonly content?: Buffer
}

/** What was found in an upload; all of it optional. */
export interface Accepted {
  /** URL, or path, that stacks find it by. */
  address?: string
  fileName?: string
  buildId?: string
  platform?: Platform
  /** What tells it from uploads with the same event. */
  identity?: readonly string[]
}

/** Why an upload cannot be taken. */
export interface Refusal {
  /** The part or the field (`event.version`) that is wrong. */
  refused: string
  /** One sentence. */
  why?: string
}

export interface Traits {
  /** Name of the part with the deployed file, which stack frames contain. */
  script?: string
  /** Name of the part with its source map, which must not ship. */
  map?: string
  /** A web server delivers its files, so they are searched for the API key, and the upload contains the commit. */
  ships?: true
}

/** A kind of symbol file that symup sends: everything that the rest of the house knows of it. */
export interface Kind<E extends UploadEvent = UploadEvent, I extends object = object, F extends object = object>
  extends AcceptedKind<E> {
  /** Default: symbols, which are never deployed. */
  traits?: Traits
  /** Finds what is to be sent. What can be expected to go wrong is in the plan's problems. */
  collect(input: I): Promise<Collected>
  /** How `symup check` looks at its files. */
  check?: KindCheck
  /** The command that uploads it. Left out where another kind's command finds it as well. */
  command?: KindCommand<I, F>
  /** What tells an artifact from the others of its service and version, for people. */
  place(event: E): string
}

/** What was found. */
export interface Collected extends Plan {
  /** Where it was looked for, directories or single files: `include` and `exclude` are relative to them. */
  directories?: readonly string[]
  /** What people may want to see of it, before the proof. */
  details?: readonly Line[]
}

/** What `symup check` was pointed at. */
export interface CheckTarget {
  /** Absolute. */
  directory: string
  /** Files to look at, relative to the directory, `/`-separated. */
  files: readonly string[]
  /** Whether it is a single file that was asked about; `files` then holds it and what belongs to it. */
  single: boolean
  /** Files in findings are named relative to it. */
  cwd: string
  /** Where links may lead besides the directory. Absolute. */
  allowedRoot?: string | undefined
}

/** What was found in the files; `summary` lines are printed after the table. */
export interface Findings {
  files: CheckedFile[]
  problems: Problem[]
  summary?: Line[]
}

export interface Examined extends CheckTarget {
  /** Those of the files that are of this kind. */
  own: readonly string[]
}

export interface KindCheck {
  /**
   * Whether a file is of this kind, by its `/`-separated path.
   * @param single whether the user asked about this very file, so that a guess may be bolder.
   */
  isOne(file: string, single: boolean): boolean
  /** Whether another file must be there to look at a single one: a script's map. Default: none. */
  belongs?(other: string, file: string): boolean
  /** Looks at files of its kind; never throws for what is in them. */
  examine(target: Examined): Promise<Findings>
}

/** A flag of a command, as data. */
export interface KindFlag {
  /** As the help shows it: `--variant <name>`. */
  flags: string
  description: string
  /** The values that it may have. */
  choices?: readonly string[]
  /** Its value is a whole number from the first to the second. */
  range?: readonly [number, number]
  /** Its value is `prefix=alias`, and it may be repeated. */
  isPairs?: boolean
}

export interface CommandGroup {
  name: string
  description: string
}

/** A command that uploads files of one kind: `symup <group> <name> <argument>`. */
export interface KindCommand<I, F> {
  group: CommandGroup
  /** Default `upload`. */
  name?: string
  /** Such as `<dir>`, or `<path...>` where several may be given. */
  argument: string
  argumentDescription: string
  description: string
  /** By the name under which the value arrives: `versionCode` for `--version-code <n>`, `proof` for `--no-proof`. */
  flags?: Readonly<Record<string, KindFlag>>
  /** Lines of the help. */
  examples: readonly string[]
  /** A step of the command before `collect`. Default: none. */
  setUp?: 'gradle-mapping' | 'gradle-libraries' | 'archive'
  /** Whether the path prefix must be known. Default false. */
  needsPrefix?: boolean
  /** Whether service and version must be known. Default true. */
  needsRelease?: boolean
  /** Service and version as the project itself says them, for what the user leaves out. */
  inferred?(given: CommandLine<F>, cwd: string): InferredRelease | Promise<InferredRelease>
  /** What else makes the command unusable. */
  problems?(given: CommandLine<F>): Problem[]
  /** What to collect. Left out where other packages find that out, as from a Gradle build. */
  input?(given: CommandContext<F>): I
}

/** What the user wrote. */
export interface CommandLine<F> {
  /** The values of the argument; at least one. */
  paths: readonly [string, ...string[]]
  flags: F
}

/** Values that a project's own files say, and where. */
export type InferredRelease = Partial<Record<'service' | 'version', { value: string; from: string }>>

export interface CommandContext<F> extends CommandLine<F> {
  service: string
  version: string
  /** '' where the command needs none. */
  minifiedPathPrefix: string
  /** Version of the sending tool, sent as `cli_version`. */
  toolVersion: string
  /** Absolute. */
  cwd: string
  /** Where links and names in files may lead besides the paths. Absolute. */
  allowedRoot?: string
  /** Stays until everything is sent. */
  temporaryDirectory: string
  /** Whether nothing will be sent. */
  dryRun: boolean
}

/** Defines a kind that symup sends; its folder's `index.ts` exports it, and `kinds/index.ts` lists it. */
export function defineKind<E extends UploadEvent, I extends object, F extends object = object>(
  kind: Kind<E, I, F> & Named<E, F>,
): Kind<E, I, F> {
  return kind
}

/** Fields and flags are named as the types have them. */
interface Named<E, F> {
  event: { required: readonly (keyof E & string)[] }
  command?: { flags?: { [K in keyof F]-?: KindFlag } }
}

/** Defines a kind that an intake takes from other clients and symup does not send. */
export function acceptedKind(type: string, label: string, platform: Platform, more: Partial<AcceptedKind> = {}) {
  return { type, label, platform, event: { required: [] }, parts: { required: [type] }, ...more } satisfies AcceptedKind
}
