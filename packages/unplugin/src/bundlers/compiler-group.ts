/** What webpack's and Rspack's compilers have in common, as far as it matters here. */
interface GroupedCompiler {
  hooks: { done: { intercept(interceptor: { register<T extends { name: string }>(tap: T): T }): void } }
}

type Work = () => Promise<void>

/** The group whose MultiCompiler is being constructed. */
let underConstruction: CompilerGroup | undefined
const groupOf = new WeakMap<object, CompilerGroup>()

/**
 * Compilers that are built together: those of one `MultiCompiler`, or one alone. What is to be done after the build is done
 * once, after the last of them.
 *
 * A compiler does not know its MultiCompiler, but is tapped by it: the constructor of a MultiCompiler taps the `done` hook of all
 * its compilers, one after the other, after the plugins have been applied to all of them.
 */
export class CompilerGroup {
  readonly #members = new Set<object>()
  readonly #settled = new Map<object, Work | undefined>()

  /** To be called when the plugin is applied to the compiler. */
  static enter(compiler: GroupedCompiler): void {
    underConstruction = undefined
    groupOf.set(compiler, new CompilerGroup().#with(compiler))
    compiler.hooks.done.intercept({
      register(tap) {
        if (tap.name === 'MultiCompiler') {
          underConstruction ??= new CompilerGroup()
          groupOf.set(compiler, underConstruction.#with(compiler))
        }
        return tap
      },
    })
  }

  /**
   * To be called when a compiler is done, with what is to be done after the build; undefined when it failed or when there is nothing
   * to do. A failed compiler leaves nothing to do for the others: such a build is not released.
   */
  static async settle(compiler: object, outcome: Work | 'failed' | 'nothing'): Promise<void> {
    const group = groupOf.get(compiler)
    await group?.#settle(compiler, outcome)
  }

  #with(compiler: object): this {
    this.#members.add(compiler)
    return this
  }

  async #settle(compiler: object, outcome: Work | 'failed' | 'nothing'): Promise<void> {
    this.#settled.set(compiler, outcome)
  }
}
