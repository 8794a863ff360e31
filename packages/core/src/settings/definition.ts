/** The adapters that read options: the command, the bundler plugins, the mini-program plugins, the hvigor plugin, and `symup.gradle`. */
export type Adapter = 'cli' | 'bundler' | 'mini-program' | 'hvigor' | 'gradle'
export type PluginAdapter = Exclude<Adapter, 'cli' | 'gradle'>

/**
 * One option. The key in the table is the option's name in plugins and in `symup.json`. An option with `env` is a setting: symup resolves
 * it in a fixed order (option → config file → environment) and adds it to `Settings`.
 */
export interface SettingDefinition {
  /**
   * A `path` is resolved to an absolute path, relative to the project directory or to the config file. A `list` accepts one string or
   * several.
   */
  type: 'string' | 'path' | 'boolean' | 'integer' | 'list' | 'map' | 'function'
  /** One sentence for the command's help and every table of options. */
  description: string
  /** Additional sentences that appear only in tables of options. */
  details?: string
  /** The allowed values of a string. */
  values?: readonly string[]
  range?: readonly [number, number]
  /** The default, as shown in the documentation. Literals are in backticks. */
  default?: string
  /** Set if the value must not be printed, logged or reported. */
  secret?: true
  /** Set if the value of a list or map may also be `true` (everything) or `false` (nothing). */
  mayBeBoolean?: true
  /** Set if plugins also accept a function that returns the value for each output file. */
  mayBeFunction?: true
  /** The TypeScript type of a function. */
  signature?: string
  /** The only keys that a map may contain. Default: any key. */
  fields?: readonly string[]
  /** Set if an empty string is a valid value with a special meaning. */
  mayBeEmpty?: true
  /** The environment variables. The first one that is set takes precedence. */
  env?: readonly string[]
  /** Set if `symup.json` may contain the option. */
  config?: true
  /** The name in the older `flashcat-ci.json`. */
  legacyField?: string
  /** The command's flag with its placeholder. */
  flag?: string
  /**
   * Where the flag is documented.
   * - `usual`: in the help of every upload.
   * - `further` (default): in `symup help flags`.
   * - `rare`: in no help.
   * - `own`: in the help of the commands that have it.
   */
  flagShown?: 'usual' | 'further' | 'rare' | 'own'
  negated?: { flag: string; description: string }
  /** A former name of the flag or option that still works. */
  formerly?: string
  plugins?: readonly PluginAdapter[]
  /** The name in the `symup { }` block of a Gradle build. */
  gradle?: string
  /** If set to `application`, the value must be the same for all variants. */
  gradleLevel?: 'application'
  /** Overrides the default and the descriptions for individual adapters. */
  per?: Partial<Record<Adapter, { default?: string; description?: string; details?: string }>>
}

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
