/** Who reads an option: the command, the bundler plugins, the mini-program plugins, the hvigor plugin, `symup.gradle`. */
export type Adapter = 'cli' | 'bundler' | 'mini-program' | 'hvigor' | 'gradle'
export type PluginAdapter = Exclude<Adapter, 'cli' | 'gradle'>

/**
 * One option: its name in plugins and in `symup.json` is its key in the table. One that has `env` is a setting: it is resolved in the one
 * order (option → config file → environment) and found in `Settings`. Others are read where they are given.
 */
export interface SettingDefinition {
  /** `path`: made absolute, from the project directory or, in a config file, from the file's. `list`: several texts, or one. */
  type: 'string' | 'path' | 'boolean' | 'integer' | 'list' | 'map' | 'function'
  /** One sentence, for the command's help and every table of options. */
  description: string
  /** Further sentences, for tables of options only. */
  details?: string
  /** The values that a text may have. */
  values?: readonly string[]
  /** Smallest and largest value of an integer. */
  range?: readonly [number, number]
  /** As documentation shows it; a literal as in code. */
  default?: string
  /** Never printed, logged or reported. */
  secret?: true
  /** A list or a map may be `true`, which stands for everything, or `false`, for nothing. */
  mayBeBoolean?: true
  /** A plugin also takes a function that returns the text for a file of an output. */
  mayBeFunction?: true
  /** The type of a function, in TypeScript. */
  signature?: string
  /** The only keys that a map may have. Default: any. */
  fields?: readonly string[]
  /** An empty text is a value of its own. */
  mayBeEmpty?: true
  /** Environment variables; the first one that is set counts. */
  env?: readonly string[]
  /** Whether `symup.json` may hold it. */
  config?: true
  /** Name in the older `flashcat-ci.json`. */
  legacyField?: string
  /** Flag of the command, with its placeholder. */
  flag?: string
  /** `usual`: in the help of every upload. `further` (default): in `symup help flags`. `rare`: in no help. `own`: only some commands have it. */
  flagShown?: 'usual' | 'further' | 'rare' | 'own'
  /** The flag that says the contrary, and its help. */
  negated?: { flag: string; description: string }
  /** Name that the flag, or the option, had before and that still works. */
  formerly?: string
  /** The plugins that have it as an option. */
  plugins?: readonly PluginAdapter[]
  /** Name in `symup { }` of a Gradle build. */
  gradle?: string
  /** `application`: cannot differ by variant. */
  gradleLevel?: 'application'
  /** What one adapter says differently. */
  per?: Partial<Record<Adapter, { default?: string; description?: string; details?: string }>>
}

/** What a value of the type is in TypeScript. */
export type ValueOf<D extends SettingDefinition> = D extends { values: readonly (infer V)[] }
  ? V
  : D['type'] extends 'boolean'
    ? boolean
    : D['type'] extends 'integer'
      ? number
      : D['type'] extends 'list'
        ? string | readonly string[] | (D extends { mayBeBoolean: true } ? boolean : never)
        : D['type'] extends 'map'
          ? MapOf<D> | (D extends { mayBeBoolean: true } ? boolean : never)
          : D['type'] extends 'function'
            ? (given: never) => unknown
            : string

type MapOf<D> = D extends { fields: readonly (infer F extends string)[] }
  ? { readonly [field in F]?: string }
  : Readonly<Record<string, string>>
