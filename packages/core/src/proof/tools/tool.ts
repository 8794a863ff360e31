/**
 * The rules of the check for the output of one bundler, compiler, minifier or library. Code that a tool adds has either no source or the
 * wrong source, and is irrelevant for debugging. Each rule matches code that is common in the tool's output and rare in handwritten code.
 */
export interface Tool {
  name: string
  /** Patterns that mark code that the tool adds. Code near a mark was also added by the tool. */
  marks?: RegExp
  /**
   * Code that the tool adds without a mark nearby. Code next to such a piece was not added by the tool. The patterns must have the `g`
   * flag.
   */
  pieces?: readonly RegExp[]
  /** Strings in the tool's helpers and runtime that `marks` does not match. */
  texts?: RegExp
  /** The messages of errors that helpers create. An error from a helper has the same mapping as the code that the helper supports. */
  errors?: RegExp
  /** Methods that are called in the output but not in the source. */
  calls?: RegExp
  /** Objects whose methods are helpers. */
  helpers?: RegExp
  /** Lists of the exports of a module, which are mapped to the start of the module. */
  exports?: RegExp
  /** Lists of exports at the end of the code. */
  exportsAtEnd?: RegExp
  /** The text that follows the name of an export in a list of strings. */
  exportedName?: RegExp
  /** Text from a library whose source map the tool ignores. */
  unmapped?: RegExp
  /** Calls that are generated from markup. The lines of such calls are not handwritten. */
  markup?: RegExp
  /** The names of modules that the tool generates. Generated modules often have coarse mappings. */
  virtual?: RegExp
  /**
   * The names of the tool's own sources. If `beside` is set, the names count only in a map that also contains a source whose name matches
   * `beside`.
   */
  own?: readonly { names: RegExp; beside?: RegExp }[]
  /** The names of the tool's own sources whose lines are wrong although the map is right. */
  astray?: RegExp
  /** The names of templates, which are compiled to calls with generated names. */
  template?: RegExp
  /** The names of sources that contain markup. Text in markup is mapped to the surrounding element. */
  markedUp?: RegExp
  /** The names of components for which the tool generates the map. No setting can increase the precision of such a map. */
  component?: RegExp
  /** The names of pages that contain prose, which is compiled to strings without mappings. */
  prose?: RegExp
}
