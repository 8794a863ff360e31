/** Bundlers add code of their own that no source has: module wrappers, dynamic imports, interop, what starts a script of an extension (WXT), what Nitro writes of storages, assets and errors, and what dart2js puts around an app of Flutter. Each of these stands in some of it, and hardly in anyone's own code. */
export const HELPERS =
  /modulepreload|preloadError|__esModule|defineProperty\(exports|function _[a-z]+[A-Z]\w*\(|exports:\s*\{\}|getOwnPropertyNames|getOwnPropertyDescriptor|toStringTag|__vite|__webpack|__farm_|webpackChunk|webpackJsonp|__rspack|rspackChunk|__turbopack|TURBOPACK|__commonJS|System\.register|define\.amd|_interop|regeneratorRuntime|Symbol\.asyncIterator|\("asyncIterator"\)|Symbol\.for\("Symbol\.|registerSW|serviceWorker|Cannot call a class as a function|[Ii]nvalid attempt to|on non-instance|Generator is already (?:executing|running)|\btrys\b|dispatchException|try statement without|Super expression must|hasn't been initiali|is not iterable|_didIteratorError|Symbol\.iterator|Reflect\.construct|null==\w+\.return|&& ?\([\w$]+ ?= ?[\w$]+\.return\)|"Arguments"===|Private (?:method|accessor|element|field) |Cannot (?:read|write) private|attempted to |[Dd]ecorator|@@toPrimitive must|Reflect\.(?:decorate|metadata)|Symbol\.dispose|is not disposable|importStar|importDefault|Cannot (?:add|read|write) |Cannot find module|Could not dynamically require|Unknown variable dynamic import|MODULE_NOT_FOUND|Module \$\{[\w$]+\} didn|\braw:\s*\{\s*value:|__mf[A-Z_]|__FEDERATION__|Server function (?:info|module) |crashed on startup!|_assets\[\w+\]\.import\(\)|publicAssetBases|\.mount\(["']\/assets["'], ?assets|\(error, event, ?\{ ?defaultHandler ?\}\)|dartProgram|TearOff\(|hunkHelpers|__dart_|dispatchPropertyName|nativeSuperclassTag|dartMainRunner|=="symbol"\)return \w+\.|\$\d\$\d\([^()]*this\.\$ti\./g

/** Bytes of code behind a helper's mark that it explains, and before it. */
export const [HELPER_BYTES, HELPER_AHEAD] = [2048, 80]

/** Where code of a bundler's or compiler's own shows first in a piece; -1 for nowhere. */
export function helperAt(text: string): number {
  return text.search(HELPERS)
}

/**
 * Throws and calls of such code that may stand where none of these marks is near: how esbuild and Rolldown start a module that is imported later, and, before the code that Vite
 * puts between, how it tells a style and forgets what failed to load; how esbuild and TypeScript take the rest of an object; and
 * what uni-app writes of the components of a page, which never runs (`!Array`, `!Math`). Whatever stands beside them is not theirs.
 */
const PIECES =
  /if\s*\(([\w$]+)\)\s*throw \1\[0\];\s*try\s*\{[^{}]{1,160}\}\s*catch\s*\(([\w$]+)\)\s*\{\s*throw \1\s*=\s*\[\2\],\s*\2;?\s*\}|\.pathname\.endsWith\(["'`]\.css["'`]\)|throw ([\w$]+)\[([\w$]+)\]\s*=\s*void 0,\s*[\w$]+(?=\}\);return \3\[\4\]\s*=)|for\s*\(var ([\w$]+) (?:in|of) [^};]{1,90}?\.indexOf\(\5\)\s*<\s*0|\.getOwnPropertySymbols\(([\w$]+)\);\s*([\w$]+)\s*<\s*([\w$]+)\.length;\s*(?:\7\+\+)?\)\s*\{?\s*(?:if\s*\()?[\w$]+\.indexOf\(\8\[\7(?:\+\+)?\]\)\s*<\s*0|\bif\s*\(!(?:Array|Math)\)\s*\{[^{}]{0,4000}\}|\b(?:Array|Math)\s*\|\|\s*\([^;{}]{0,4000}\)\(\)/g

/** Where such pieces begin and end in a text. */
export function piecesIn(text: string): { from: number; to: number }[] {
  return [...text.matchAll(PIECES)].map(({ 0: piece, index }) => ({ from: index, to: index + piece.length }))
}

/** What helpers and runtimes say beside what marks them: they have no texts but these. */
const TEXTS =
  /Private element|Cannot initialize the same|iterator result is not|iterator does not provide|try statement without|Class extends value|Derived constructors|Function expected|Object expected|Object not|Loading (?:CSS )?chunk|Unable to preload|Dynamic require of|An error was suppressed|is not (?:defined|supported|a function|an object|disposable)|unsupported |Unexpected /

/** Whether a piece of code gives a text that compilers' or bundlers' own code has. */
export function isHelpersText(text: string): boolean {
  return TEXTS.test(text) || helperAt(text) !== -1
}

/** What compilers' helpers throw: their mapping is that of the code that they help. */
const THROWN =
  /new \w+\(["'`](?:Cannot call a class as a function|Derived constructors|Generator is already|[Ii]nvalid attempt to|Object is not (?:async )?iterable|Super expression must|attempted to |this hasn't been initiali|@@\w+ )/y

/** Whether a helper's error is made at an index. */
export function isHelpersError(text: string, index: number): boolean {
  THROWN.lastIndex = index
  return THROWN.test(text)
}

/** The comment with which Rolldown and esbuild begin a library's module, or one that a plugin made up: it has nothing but the name. */
export const NAMES_OTHERS = /^\/\/(?:#region)? ?(?:\\0|(?=\S*\bnode_modules\/))\S*[ \t\r]*$/m
/** Such a module: the comment, and the code up to the next comment at a line's start. Nobody looks for its lines. */
export const OTHERS = new RegExp(`${NAMES_OTHERS.source}\\n[\\s\\S]*?(?=^//|(?![\\s\\S]))`, 'gm')

/** The call with which uni-app starts a mini program: its compiler appends it to the entry, behind the lines that the entry has. */
const STARTS_UNI_APP = /\.app\.mount\(["'`]#app["'`]\)/

/** Bytes of it around any of its mappings. */
export const CALL_BYTES = 32

/** Whether it is, or is part of, a call that a compiler appends. */
export function isAppendedCall(text: string): boolean {
  return STARTS_UNI_APP.test(text)
}

/** The comment with which a package of Vue begins: uni-app follows no map of it. */
const VUE = /^(?:["']use strict["'];?)?\s*\/\*\*\s*\* @vue\/[\w-]+ v\d+\.\d+\.\d+\s*\* \(c\) /

/** Whether code that has no source is a library's, as its first comment says. */
export function isLibrarys(text: string): boolean {
  return VUE.test(text)
}
