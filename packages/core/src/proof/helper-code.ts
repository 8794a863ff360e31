/**
 * Code that bundlers add and no source contains: module wrappers, dynamic imports, interop, the start of an extension's script (WXT),
 * Nitro's storages, assets and errors, and dart2js's wrapper of a Flutter app. Each piece is common in such code and rare in handwritten
 * code.
 */
export const HELPERS =
  /modulepreload|preloadError|__esModule|defineProperty\(exports|function _[a-z]+[A-Z]\w*\(|exports:\s*\{\}|getOwnPropertyNames|getOwnPropertyDescriptor|toStringTag|__vite|__webpack|__farm_|webpackChunk|webpackJsonp|__rspack|rspackChunk|__turbopack|TURBOPACK|__commonJS|System\.register|define\.amd|_interop|regeneratorRuntime|Symbol\.asyncIterator|\("asyncIterator"\)|Symbol\.for\("Symbol\.|registerSW|serviceWorker|Cannot call a class as a function|[Ii]nvalid attempt to|on non-instance|Generator is already (?:executing|running)|\btrys\b|dispatchException|try statement without|Super expression must|hasn't been initiali|is not iterable|_didIteratorError|Symbol\.iterator|Reflect\.construct|null==\w+\.return|&& ?\([\w$]+ ?= ?[\w$]+\.return\)|"Arguments"===|Private (?:method|accessor|element|field) |Cannot (?:read|write) private|attempted to |[Dd]ecorator|@@toPrimitive must|Reflect\.(?:decorate|metadata)|Symbol\.dispose|is not disposable|importStar|importDefault|Cannot (?:add|read|write) |Cannot find module|Could not dynamically require|Unknown variable dynamic import|MODULE_NOT_FOUND|Module \$\{[\w$]+\} didn|\braw:\s*\{\s*value:|__mf[A-Z_]|__FEDERATION__|Server function (?:info|module) |crashed on startup!|_assets\[\w+\]\.import\(\)|publicAssetBases|\.mount\(["']\/assets["'], ?assets|\(error, event, ?\{ ?defaultHandler ?\}\)|dartProgram|TearOff\(|hunkHelpers|__dart_|dispatchPropertyName|nativeSuperclassTag|dartMainRunner|=="symbol"\)return \w+\.|\$\d\$\d\([^()]*this\.\$ti\./g

/** Bytes of code after and before a helper's mark that belong to the helper. */
export const [HELPER_BYTES, HELPER_AHEAD] = [2048, 80]

/** Index of the first bundler or compiler code in a piece; -1 if there is none. */
export function helperAt(text: string): number {
  return text.search(HELPERS)
}

/**
 * Throws and calls in generated code without a recognizable helper nearby: how esbuild and Rolldown start a lazily imported module, and,
 * before the code that Vite inserts, how it detects a style and forgets what failed to load; how esbuild and TypeScript copy the rest of an
 * object; and uni-app's list of a page's components, which never runs (`!Array`, `!Math`). Code next to them does not belong to them.
 */
const PIECES =
  /if\s*\(([\w$]+)\)\s*throw \1\[0\];\s*try\s*\{[^{}]{1,160}\}\s*catch\s*\(([\w$]+)\)\s*\{\s*throw \1\s*=\s*\[\2\],\s*\2;?\s*\}|\.pathname\.endsWith\(["'`]\.css["'`]\)|throw ([\w$]+)\[([\w$]+)\]\s*=\s*void 0,\s*[\w$]+(?=\}\);return \3\[\4\]\s*=)|for\s*\(var ([\w$]+) (?:in|of) [^};]{1,90}?\.indexOf\(\5\)\s*<\s*0|\.getOwnPropertySymbols\(([\w$]+)\);\s*([\w$]+)\s*<\s*([\w$]+)\.length;\s*(?:\7\+\+)?\)\s*\{?\s*(?:if\s*\()?[\w$]+\.indexOf\(\8\[\7(?:\+\+)?\]\)\s*<\s*0|\bif\s*\(!(?:Array|Math)\)\s*\{[^{}]{0,4000}\}|\b(?:Array|Math)\s*\|\|\s*\([^;{}]{0,4000}\)\(\)/g

/** Start and end of such pieces in a text. */
export function piecesIn(text: string): { from: number; to: number }[] {
  return [...text.matchAll(PIECES)].map(({ 0: piece, index }) => ({ from: index, to: index + piece.length }))
}

/** The texts of helpers and runtimes, apart from their marks. */
const TEXTS =
  /Private element|Cannot initialize the same|iterator result is not|iterator does not provide|try statement without|Class extends value|Derived constructors|Function expected|Object expected|Object not|Loading (?:CSS )?chunk|Unable to preload|Dynamic require of|An error was suppressed|is not (?:defined|supported|a function|an object|disposable)|unsupported |Unexpected /

/** Whether a piece of code uses a text of compiler or bundler code. */
export function isHelperText(text: string): boolean {
  return TEXTS.test(text) || helperAt(text) !== -1
}

/** Errors of compiler helpers, whose mapping is that of the code they support. */
const THROWN =
  /new \w+\(["'`](?:Cannot call a class as a function|Derived constructors|Generator is already|[Ii]nvalid attempt to|Object is not (?:async )?iterable|Super expression must|attempted to |this hasn't been initiali|@@\w+ )/y

/** Whether a helper's error is created at an index. */
export function isHelpersError(text: string, index: number): boolean {
  THROWN.lastIndex = index
  return THROWN.test(text)
}

/** The comment with which Rolldown and esbuild begin a library's module, or a virtual module. It contains only the name. */
export const NAMES_OTHERS = /^\/\/(?:#region)? ?(?:\\0|(?=\S*\bnode_modules\/))\S*[ \t\r]*$/m
/** Such a module: the comment and the code up to the next comment at the start of a line. Stacks never need its lines. */
export const OTHERS = new RegExp(`${NAMES_OTHERS.source}\\n[\\s\\S]*?(?=^//|(?![\\s\\S]))`, 'gm')

/** The call that starts a uni-app mini program. Its compiler appends it after the last line of the entry. */
const STARTS_UNI_APP = /\.app\.mount\(["'`]#app["'`]\)/

/** Bytes of it around any of its mappings. */
export const CALL_BYTES = 32

/** Whether a text is (part of) a call that a compiler appends. */
export function isAppendedCall(text: string): boolean {
  return STARTS_UNI_APP.test(text)
}

/** The first comment of a Vue package, whose map uni-app ignores. */
const VUE = /^(?:["']use strict["'];?)?\s*\/\*\*\s*\* @vue\/[\w-]+ v\d+\.\d+\.\d+\s*\* \(c\) /

/** Whether unmapped code belongs to a library, according to its first comment. */
export function isLibraryCode(text: string): boolean {
  return VUE.test(text)
}
