/**
 * The rules of the check for the output of one bundler, compiler, minifier or library. Code that a tool adds has either no source or the
 * wrong source, and is irrelevant for debugging. Each rule matches code that is common in the tool's output and rare in handwritten code.
 */
export interface Tool {
  name: string
  /** Patterns that mark code that the tool adds. Code near a mark was also added by the tool. */
  marks?: RegExp
  /**
   * Patterns for code that the tool adds without a mark nearby. The code around a match does not belong to the tool. The patterns must have
   * the `g` flag.
   */
  pieces?: readonly RegExp[]
  /** Matches strings in the tool's helpers and runtime. These strings contain no mark. */
  texts?: RegExp
  /** Matches the messages of errors that helpers throw. Such an error has the same mapping as the code that needs the helper. */
  errors?: RegExp
  /** Matches methods that are called in the output but not in the source. */
  calls?: RegExp
  /** Objects whose methods are helpers. */
  helpers?: RegExp
  /** Matches lists of a module's exports, which are mapped to the start of the module. */
  exports?: RegExp
  /** Matches the lists of exports at the end of a script. */
  exportsAtEnd?: RegExp
  /** In a list of strings, matches an exported name and the text that follows it. */
  exportedName?: RegExp
  /** Matches text from a library whose source map the tool ignores. */
  unmapped?: RegExp
  /** Matches calls that are generated from markup. Their lines were not written by hand. */
  markup?: RegExp
  /** The names of modules that the tool generates. Generated modules often have coarse mappings. */
  virtual?: RegExp
  /**
   * The names of the tool's own sources. If `beside` is set, the names count only if the map also contains a source that matches `beside`.
   */
  own?: readonly { names: RegExp; beside?: RegExp }[]
  /** The names of the tool's own sources whose line numbers are known to be wrong, even if the app's map is correct. */
  astray?: RegExp
  /** The names of templates, which are compiled to calls with generated names. */
  template?: RegExp
  /** The names of sources that contain markup. Text in markup is mapped to the surrounding element. */
  markedUp?: RegExp
  /** The names of components whose map the tool generates. No setting makes these maps more precise. */
  component?: RegExp
  /** The names of pages that contain prose. Prose is compiled to strings without mappings. */
  prose?: RegExp
}
