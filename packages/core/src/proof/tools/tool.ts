/**
 * Rules of the check for the output of one bundler, compiler, minifier or library. Code that a tool adds has no source or a wrong one, and
 * nobody debugs it. Each rule is common in the tool's output and rare in handwritten code.
 */
export interface Tool {
  /** The displayed name. */
  name: string
  /** Marks of code that the tool adds. Code near a mark is also added code. */
  marks?: RegExp
  /** Code that the tool adds without a mark nearby. Code next to such a piece was not added. Patterns are global. */
  pieces?: readonly RegExp[]
  /** Strings in the tool's helpers and runtime, in addition to the marks. */
  texts?: RegExp
  /** Texts of errors that helpers create. They share the mapping of the code that the helper supports. */
  errors?: RegExp
  /** Methods that the output calls and the source does not. */
  calls?: RegExp
  /** Object whose methods are helpers. */
  helpers?: RegExp
  /** Lists of a module's exports, which are mapped to the start of the module. */
  exports?: RegExp
  /** Lists of exports after the code. */
  exportsAtEnd?: RegExp
  /** What follows the name of an export in a list of strings. */
  exportedName?: RegExp
  /** A text of a library whose map it ignores. */
  unmapped?: RegExp
  /** Calls generated from markup. Their lines were never handwritten. */
  markup?: RegExp
  /** Names of generated modules. Their mappings are often coarse. */
  virtual?: RegExp
  /** Names of the tool's own sources. With `beside`, only in a map that also contains such a source. */
  own?: readonly { names: RegExp; beside?: RegExp }[]
  /** Names of the tool's own sources whose lines are wrong although the map is right. */
  astray?: RegExp
  /** Names of templates, which become calls with generated names. */
  template?: RegExp
  /** Names of sources with markup in which texts are mapped to the surrounding element. */
  markedUp?: RegExp
  /** Names of components whose map the tool generates, so that no user setting makes the map finer. */
  component?: RegExp
  /** Names of pages of prose, which become strings without mappings. */
  prose?: RegExp
}
