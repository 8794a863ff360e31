import { BUNDLE_NAMES } from '@symup/core/resolving'
import type { RawFrame } from '../../frames.ts'
import { textUpTo } from '../../read-limits.ts'
import { stackLines } from '../../stack-lines.ts'
import { consoleFrame, withoutSplitFrames } from './console-frames.ts'

/** The maximum number of frames, which is higher than the limits of all runtimes. */
export const MAX_FRAMES = 500
/** The number of frames to read: one more than the maximum, to detect longer stacks. */
export const FRAMES_READ = MAX_FRAMES + 1
/** The maximum length of a frame. Longer lines are assumed to be messages or malicious input. */
const MAX_LINE = 4096
export const MAX_STACK = 4 * 1024 * 1024

// Matches `url:line:column` or `url:line`.
const POSITION = /^(.*?)(?::(\d{1,9}))?:(\d{1,9})$/
/** Matches a bytecode position from Hermes. The column is a zero-based byte offset. */
const HERMES_ADDRESS = /^address at (.+:\d{1,9}):(\d{1,9})$/
const RUM_FRAME = /^at (.+?) @ (.+)$/
/**
 * Matches a position in code from `eval`. SpiderMonkey reports the line that called `eval`, but no column:
 * `https://h/a.js line 5 > eval line 1 > Function:1:1`.
 */
const SPIDERMONKEY_EVAL = /^(\S+) line (\d{1,9})(?: > \w+(?: line \d{1,9})?)* > \w+(?::\d{1,9}){0,2}$/
/**
 * Matches a WebAssembly frame such as `https://h/a.wasm:wasm-function[3]:0x1f`, or `a.wasm:0x1f` in Chrome's console. The address is an
 * offset from the start of the file.
 */
const WASM = /^(.*?):wasm-function\[(\d{1,9})\]:(0x[0-9a-f]{1,16})$/i
const CONSOLE_WASM = /^(\S+\.wasm|(?:wasm-)?[0-9a-f]{8}):(0x[0-9a-f]{1,16})$/i
const EXTENSION = /^(?:chrome|moz|safari|safari-web|ms-browser)-extension:/
/**
 * Matches modules of runtimes, engines, Titanium and uni-app. Also matches scripts that apps inject into WebViews, such as Capacitor's
 * bridge.
 */
const FOREIGN =
  /\.(?:java|kt)$|(?:^|\/)InternalBytecode\.js$|^(?:node:|bun:|internal:|cloudflare(?:-internal)?:|\[|native |eval code$|internal\/|electron\/js2c\/|wasm:|ext:|ti:\/|evalmachine\.|webkit-masked-url:|user-script$)|(?:^|\/)uni-app-(?:service|view)\.(?:es|umd)\.js$/
/** The directories of the runtimes that call functions on AWS Lambda, Vercel and Azure. */
const RUNTIME_DIRECTORY = /^(?:file:\/\/)?\/(?:var\/runtime|opt\/rust|azure-functions-host)\//
/** The directory to which expo-updates downloads bundles. On the device, the file name of an update is a hash. */
const EXPO_UPDATE = /\/\.expo-internal\//
/**
 * Matches a log prefix, such as a time or a container name, and the prefixes `[INFO]  at` from Titanium and `JS: at` from NativeScript.
 * Node.js indents frames by four spaces.
 */
const LOGGED = /^(?:\S.{0,199}?(?: {3}|\t) {0,8}|(?:\[\w{1,10}\]|JS:) {1,8})(at \S.*)$/
/** Matches the quote markers in e-mail and Markdown. */
const QUOTED = /^(?:>\s{0,16}){1,8}/
const LOG_ENDS = [': ', '] ', '| ', '  ', '\t']
/**
 * Matches an absolute path with spaces, such as `/srv/my app/a.js:1:2` or `C:\Program Files\app\a.js:1:2`. Without the required file
 * extension and column, text that ends in a time of day would also match.
 */
const SPACED_PATH = /^(?:\/|\\\\|[a-z]:[\\/]).*\.\w+:\d{1,9}:\d{1,9}$/i
/** The WeChat devtools add a prefix to the app's scripts and a suffix to the last frame. */
const VM_PLACE = /^VM\d{1,9} \S+$/
const ENVIRONMENT = /\(env: [^()]{1,200}\)$/
/** Characters that `util.inspect` prints after a frame, such as the brace before the error's properties. */
const PRINTED_AFTER = ' ,{}[]+\'"`'
/**
 * Matches the phrase before the JavaScript stack in React Native's crash reports. The stack contains function names and positions in the
 * bundle, but not the name of the bundle.
 */
const REACT_NATIVE_CRASH = /, stack:[ \t]*(?:\r?$|(?=[^\s@]{0,200}@\d{1,9}:\d))/m
/** Patterns for a React Native bundle, and for a segment of a bundle or a module in a RAM bundle. */
const BUNDLE = '(?:[\\w.-]+/)*[\\w.-]+\\.(?:(?:js)?bundle|bundlejs)'
const MODULE = '(?:seg-\\d{1,9}(?:_\\d{1,9})?|\\d{1,9})\\.js'
/** Matches `onPress@1:182` or `onPress@seg-3.js:1:182`. An unknown line is reported as `-1`. */
const IN_BUNDLE = new RegExp(`(?:^|\\s)([^\\s@]*)@(${MODULE}:)?(\\d{1,9})(?::(\\d{1,9}))?$`, 'i')
/** Matches lines that contain only a frame without a script name, such as `pay@154:1938`. */
const ALONE_IN_BUNDLE = /^[ \t]{0,16}[\w$<>.?]{1,200}@\d{1,9}:\d{1,9}[ \t]*\r?$/gm
const BUNDLE_PLACE = `${BUNDLE}:\\d{1,9}(?::\\d{1,9})?|${MODULE}:\\d{1,9}:\\d{1,9}`
/** Matches logged JavaScriptCore frames, such as `at pay@main.jsbundle:154:1938` or `at ? @230.js:1:145`. */
const LOGGED_AT_SIGN = new RegExp(`^at ([^\\s@/:]{0,200}) ?@(${BUNDLE_PLACE})$`, 'i')
/**
 * Matches JavaScript frames from Crashlytics, which formats JavaScript frames like iOS frames:
 * `1  ???  0x0 pay + 199284 (main.jsbundle:199284:30)` or `1  ???  0x0 pay + 1 (address at main.jsbundle:1:1938)`.
 */
const CRASHLYTICS = new RegExp(
  `^\\d{1,4}\\s+\\?\\?\\?\\s+0x0 (\\S{1,200}) \\+ \\d{1,9} \\((${BUNDLE_PLACE}|address at .+:\\d{1,9}:\\d{1,9})\\)$`,
  'i',
)
/** React Native appends the name of the engine to the last line of an error, which may be a frame. */
const HERMES = ', js engine: hermes'
/** Matches a frame without a function name. For such frames, some engines print only the position. */
const BARE =
  /^(?:[a-z][a-z0-9+.-]*:\/\/|webpack-internal:|[\w.-]+\.(?:(?:js)?bundle|bundlejs)(?=:))\S*:\d{1,9}:\d{1,9}$/i
const BARE_MODULE = new RegExp(`^${MODULE}:\\d{1,9}:\\d{1,9}$`)

/**
 * Parses the frames in a stack from V8, SpiderMonkey, JavaScriptCore, Hermes or the RUM SDK. Lines that belong to the message are skipped.
 */
export function parseStack(stack: string, maxFrames = MAX_FRAMES): RawFrame[] {
  const frames: RawFrame[] = []
  const text = withoutSplitFrames(textUpTo(stack, MAX_STACK))
  const inBundle = isReactNativeCrash(text) || hasBundleAlone(text) ? crashFrameReaderOf(text) : undefined
  for (const line of stackLines(text)) {
    if (frames.length === maxFrames) break
    const shown = line.length > MAX_LINE ? '' : line.trim()
    const raw = shown.startsWith('>') ? shown.replace(QUOTED, '') : shown
    const at = raw.startsWith('at ') ? raw : raw.includes('at ') ? LOGGED.exec(raw)?.[1] : undefined
    const frame =
      raw === '' ? undefined : at === undefined ? (inBundle?.(raw) ?? parseAtSign(raw)) : parseAt(withoutPrinted(at))
    if (frame) frames.push(frame)
  }
  const isOfOthers = frames.some((frame) => isOfProject(frame) && !isOfExtension(frame))
  return isOfOthers
    ? frames.map((frame) => (isOfExtension(frame) ? { ...frame, isInOtherExtension: true } : frame))
    : frames
}

/**
 * Returns whether a native crash report contains a JavaScript stack from React Native. If the report lists Apple images, the native stack
 * takes precedence.
 */
export function isReactNativeCrash(stack: string): boolean {
  return REACT_NATIVE_CRASH.test(stack) && !/^Binary Images:/m.test(stack)
}

/**
 * Returns whether the frames lack script names, as in `pay@154:1938`. A single frame without a script name is not enough, because it may be
 * part of a message.
 */
function hasBundleAlone(stack: string): boolean {
  return (
    stack.includes('@') &&
    (stack.match(ALONE_IN_BUNDLE)?.length ?? 0) > 1 &&
    !/@(?:[a-z][a-z0-9+.-]*:\/\/|\/|[\w./-]+\.\w+:\d)/i.test(stack)
  )
}

/**
 * Returns a parser for React Native frames in a crash report. The bundle is assumed to have its default name. Columns are zero-based, as in
 * React Native 0.62 and later and in bytecode.
 */
function crashFrameReaderOf(stack: string): (raw: string) => RawFrame | undefined {
  const isAndroid = /JavascriptException|\bcom\.facebook\.|AndroidRuntime|ReactNativeJS|\.(?:java|kt):\d/.test(stack)
  const bundle = BUNDLE_NAMES[isAndroid ? 'android' : 'ios']
  return (raw) => {
    const [, name, segment, line, column] = IN_BUNDLE.exec(raw) ?? []
    if (line === undefined) return undefined
    const place = column === undefined ? line : `${line}:${Number(column) + 1}`
    return withPosition(raw, name, `${segment ?? `${bundle}:`}${place}`)
  }
}

/**
 * Removes text that the Node.js console prints after a frame, as in `at f (/app/a.js:1:2) {`, `at /app/a.js:1:2,` or
 * `at f (/app/a.js:1:2)\\n' +`.
 */
function withoutPrinted(printed: string): string {
  const logged = printed.endsWith(HERMES) ? printed.slice(0, -HERMES.length) : printed
  const raw = logged.includes('(env: ') ? logged.replace(ENVIRONMENT, '') : logged
  let end = raw.length
  while (end > 0 && PRINTED_AFTER.includes(raw.charAt(end - 1))) end--
  // Node.js prints multi-line strings as one literal per line.
  return raw.slice(0, raw.endsWith('\\n', end) ? end - 2 : end)
}

function parseAt(raw: string): RawFrame | undefined {
  const [, logged, bundlePlace] = (raw.includes('@') && LOGGED_AT_SIGN.exec(raw)) || []
  if (bundlePlace !== undefined) return withPosition(raw, logged, bundlePlace)
  const rum = raw.includes(' @ ') && RUM_FRAME.exec(raw)
  if (rum) return withPosition(raw, rum[1], rum[2] as string)
  const named = splitCall(raw)
  if (named) {
    const [name, place] = named
    if (place.startsWith('eval at ')) {
      const origin = evaluatorIn(place)
      const frame = origin === undefined ? undefined : withPosition(raw, name, origin)
      return frame ? { ...frame, isEvaluated: true } : withName(raw, name)
    }
    return withPosition(raw, name, countedFromOne(place)) ?? withName(raw, name)
  }
  // Lines in a message may also start with "at", but do not end with a file and a position.
  const place = raw.slice(3).replace(/^async /, '')
  if (place === '<anonymous>') return withName(raw, place)
  const isPlace = !/\s/.test(place) || place.includes('://') || SPACED_PATH.test(place) || VM_PLACE.test(place)
  return isPlace ? withPosition(raw, undefined, place) : undefined
}

/** Converts `address at a.bundle:1:1` to `a.bundle:1:2` and leaves other positions unchanged. */
function countedFromOne(place: string): string {
  const [, bundle, offset] = HERMES_ADDRESS.exec(place) ?? []
  return bundle === undefined ? place : `${bundle}:${Number(offset) + 1}`
}

/** Splits `fn (place)`, `(place)` or `fn(place)` at the first parenthesis. Sentry's raw view prints frames without the space. */
function splitCall(raw: string): [name: string | undefined, place: string] | undefined {
  if (!raw.endsWith(')')) return undefined
  const open = raw.indexOf(' (', 'at '.length + 1)
  if (open !== -1) return [raw.slice('at '.length, open), raw.slice(open + 2, -1)]
  if (raw.startsWith('at (')) return [undefined, raw.slice('at ('.length, -1)]
  // JVM frames have no column.
  const bracket = /:\d{1,9}:\d{1,9}\)$/.test(raw) ? raw.indexOf('(') : -1
  return bracket === -1 ? undefined : [raw.slice('at '.length, bracket), raw.slice(bracket + 1, -1)]
}

/**
 * Returns the innermost position in `eval at f (eval at g (https://h/a.js:1:2)), <anonymous>:1:1`, which is the position of the call to
 * `eval`.
 */
function evaluatorIn(place: string): string | undefined {
  if (!place.startsWith('eval at ')) return place
  const [open, close] = [place.indexOf(' ('), place.lastIndexOf(')')]
  return open === -1 || close < open ? undefined : evaluatorIn(place.slice(open + 2, close))
}

/** Parses frames such as `fn@https://h/a.js:1:123`. */
function parseAtSign(raw: string): RawFrame | undefined {
  const [, native, place] = (raw.includes(' 0x0 ') && CRASHLYTICS.exec(raw)) || []
  if (place !== undefined) return withPosition(raw, native, countedFromOne(place))
  const shown = consoleFrame(raw)
  if (shown) return withPosition(raw, shown.name, shown.place)
  // Older versions of JavaScriptCore, including those in React Native, print only the position.
  if (BARE.test(raw) || BARE_MODULE.test(raw)) return withPosition(raw, undefined, raw)
  // Names can contain at signs, as in `obj["@type"]@https://h/a.js:1:2`.
  for (let at = raw.indexOf('@'), looked = 0; at !== -1 && looked < 8; at = raw.indexOf('@', at + 1), looked++) {
    const place = raw.slice(at + 1)
    const frame = isPlace(place) ? withPosition(raw, unlogged(raw.slice(0, at)), place) : undefined
    if (frame) return frame
    if (place === '[native code]' || place === '[wasm code]') return withName(raw, unlogged(raw.slice(0, at)))
  }
  return undefined
}

/**
 * Removes log prefixes from a name, such as `08-11 08:19:11.176 16965 17029 E ReactNativeJS: ` (logcat) or
 * `17:44:35.607 Shop[123:4567] [javascript] ` (Xcode).
 */
function unlogged(name: string): string {
  if (!/\s/.test(name)) return name
  const behind = LOG_ENDS.map((end) => (name.includes(end) ? name.lastIndexOf(end) + end.length : 0))
  return name.slice(Math.max(...behind))
}

const PLACE = new RegExp(`^(?:[a-z][a-z0-9+.-]*:|/|(?:${BUNDLE}|${MODULE}):)`, 'i')

/** Returns whether the text can be a position. A position starts with a URL, a path, or a React Native bundle or module. */
function isPlace(text: string): boolean {
  return PLACE.test(text)
}

/** For speed, each pattern is run only if the text contains the pattern's required characters. This makes the function ten times faster. */
function withPosition(raw: string, name: string | undefined, place: string): RawFrame | undefined {
  const [, module, index, address] = (place.includes(']:0') && WASM.exec(place)) || []
  if (module !== undefined && address !== undefined)
    return { ...withName(raw, name), file: module, module, address, wasmFunction: Number(index) }
  const [, shown, at] = (place.includes(':0x') && CONSOLE_WASM.exec(place)) || []
  if (shown !== undefined && at !== undefined)
    return { ...withName(raw, name), file: shown, module: shown, address: at }
  const [, evaluator, evaluatorLine] = (place.includes(' > ') && SPIDERMONKEY_EVAL.exec(place)) || []
  if (evaluator !== undefined)
    return { ...withName(raw, name), file: evaluator, line: Number(evaluatorLine), isEvaluated: true }
  const match = POSITION.exec(place)
  if (!match?.[1]) return undefined
  const [, before, first, second] = match
  // WeChat may print a space before the position: `https://usr/app-service.js :1:157`.
  const named = before.trim()
  const file = EXPO_UPDATE.test(named) ? bundleOfUpdate(named) : named
  const frame = withName(raw, name)
  frame.file = file
  frame.line = Number(first ?? second)
  if (first !== undefined) frame.column = Number(second)
  return frame
}

function bundleOfUpdate(path: string): string {
  return BUNDLE_NAMES[/^(?:file:\/\/)?\/data\//.test(path) ? 'android' : 'ios']
}

function withName(raw: string, name: string | undefined): RawFrame {
  const clean = name === undefined ? undefined : cleanName(name)
  return clean && clean !== '<anonymous>' && clean !== '?' ? { raw, function: clean } : { raw }
}

/** Cleans up names such as `async* fn`, `new Fn`, `fn [as alias]` and Firefox's `outer/inner<`. */
function cleanName(name: string): string {
  const bare = name
    // For functions without a class, Crashlytics prints an empty class name and a dot.
    .replace(/^\.(?=[\w$])/, '')
    // SpiderMonkey adds prefixes to names in asynchronous stacks, such as `setTimeout handler*f` or `promise callback*async*f`.
    .replace(/^(?:[\w.]+(?: (?:handler|callback|method))?\*)+/, '')
    .replace(/^(?:async\*?|new) /, '')
  const alias = bare.endsWith(']') ? bare.indexOf(' [as ') : -1
  let end = alias === -1 ? bare.length : alias
  while (end > 0 && (bare[end - 1] === '/' || bare[end - 1] === '<')) end--
  return bare.slice(0, end).trim()
}

/** Returns whether a frame belongs to the runtime or to another extension rather than the app. */
export function isForeign({ file, isInOtherExtension }: RawFrame): boolean {
  if (isInOtherExtension || file === undefined || file === '<anonymous>' || file === 'native') return true
  return FOREIGN.test(file) || RUNTIME_DIRECTORY.test(file)
}

export function isOfExtension({ file }: RawFrame): boolean {
  return file !== undefined && EXTENSION.test(file)
}

export type ProjectFrame = RawFrame & { file: string; line: number }

export function isOfProject(frame: RawFrame): frame is ProjectFrame {
  return frame.file !== undefined && frame.line !== undefined && !isForeign(frame)
}

/**
 * Returns the operators whose position an engine may report instead of the position of the property. For V8, `?.` is omitted, because
 * optional chaining does not throw there.
 */
export function dotsOf(frame: RawFrame): readonly string[] {
  if (/@https?:/.test(frame.raw)) return ['.', '?.']
  return frame.raw.startsWith('at ') && !isHermesAddress(frame) ? ['.'] : []
}

export function isHermesAddress({ raw }: RawFrame): boolean {
  return raw.includes('(address at ')
}
