/**
 * What the check knows of one bundler, compiler, minifier or library. Code that a tool adds has no source, or a wrong one, and is nobody's to debug. Each rule is common in output of the tool
 * and rare in handwritten code.
 */
export interface Tool {
  /** As its users know it. */
  name: string
  /** Marks of code that it adds: what is near one is added, too. */
  marks?: RegExp
  /** Code that it adds without a mark nearby. What is next to a piece was not added. Global. */
  pieces?: readonly RegExp[]
  /** Texts of its helpers and its runtime, apart from marks. */
  texts?: RegExp
  /** Texts of errors that its helpers create. Their mapping is that of the code that they support. */
  errors?: RegExp
  /** Names of methods that its output calls and the source does not. */
  calls?: RegExp
  /** Object whose methods are its helpers. */
  helpers?: RegExp
  /** Lists of a module's exports, which lead to the start of the module. */
  exports?: RegExp
  /** Lists of exports that it writes behind the code. */
  exportsAtEnd?: RegExp
  /** What follows the name of an export in a list of texts. */
  exportedName?: RegExp
  /** A text of a library whose map it ignores. */
  unmapped?: RegExp
  /** Calls that it makes of markup, whose lines were never handwritten. */
  markup?: RegExp
  /** Names of modules that it generates. Their mappings are often rough. */
  virtual?: RegExp
  /** Names of its own sources. With `beside`, only in a map that also names a source like that. */
  own?: readonly { names: RegExp; beside?: RegExp }[]
  /** Names of its own sources whose lines are off although the map is right. */
  astray?: RegExp
  /** Names of sources that are no code: templates, which become calls with names of their own. */
  template?: RegExp
  /** Names of sources with markup in which it maps texts to the element around them. */
  markedUp?: RegExp
  /** Names of the components whose map it makes, so that no setting of the user's makes the map finer. */
  component?: RegExp
  /** Names of pages of prose, which it emits as texts without mappings. */
  prose?: RegExp
}
