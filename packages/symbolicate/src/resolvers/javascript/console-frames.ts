/**
 * Matches frames that are displayed in the consoles of Chrome and Firefox: `pay @ index-C7x.js:1`, `pay @ VM28 pay.js:1` or
 * `pay https://h/index-C7x.js:1`. Lines such as `GET https://h/a.js:1` are requests and not frames.
 */
const CONSOLE_FRAME =
  /^(?!(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE|XHR) http)(\(anonymous function\)|\S{1,200}) (?:@ |(?=https?:))((?:VM\d{1,9} )?\S+\.(?:[cm]?[jt]sx?|vue|svelte|dart)(?:\?[^\s?]{0,2000})?:\d{1,9}(?::\d{1,9})?)$/
/** Matches Rollbar's format, which Python also uses: `File "https://h/a.js", line 1, in pay`. */
const ROLLBAR = /^File "(?!<)([^"]{1,4000})(?<!\.pyx?)", line (\d{1,9})(?:,? col(?:umn)? (\d{1,9}))?(?:, in (\S.*))?$/
/**
 * Android's WebView prints `[INFO:CONSOLE(1)] "Uncaught Error: x", source: http://localhost/a.js (1)`, and Capacitor prints
 * `File: http://localhost/a.js - Line 1 - Msg: Uncaught …`.
 */
const WEB_VIEW = [
  /:CONSOLE[(:]\d{1,9}\)?\] "Uncaught .*", source: (\S{1,4000}) \((\d{1,9})\)$/,
  /\bFile: (\S{1,4000}) - Line (\d{1,9}) - Msg: Uncaught /,
]
/**
 * On Android, NativeScript 5 and earlier versions print
 * `Frame: function:'pay', file:'/data/data/shop/files/app/bundle.js', line: 1, column: 2`.
 */
const NATIVE_SCRIPT_OLD =
  /(?:^|\s)Frame: function:'([^']{0,400})', file:'([^'\s]{1,4000})', line: (\d{1,9}), column: (\d{1,9})$/
/**
 * Later versions of NativeScript print `pay(file:///data/data/shop/files/app/bundle.js:1:2)`. The first frame after `StackTrace:` may
 * follow a logcat prefix.
 */
const NATIVE_SCRIPT =
  /^(?:.{0,200}?\bSystem\.err: )?\s{0,16}([^\s()]{0,400})\((file:\/\/\/[^\s()]{1,4000}:\d{1,9}:\d{1,9})\)$/
/** Matches the heading that NativeScript prints above a stack, together with the first frame. */
const NATIVE_SCRIPT_STACK =
  /StackTrace:[ \t]*\r?\n[^\r\n]{0,300}?(?:Frame: function:'|\(file:(?:\/\/\/| )[^\s()]{1,4000}:\d{1,9}:\d{1,9}\))/
/** Capacitor on iOS splits a frame into two lines: `⚡️  URL: capacitor://localhost/a.js` and `⚡️  a.js:55:29`. */
const CAPACITOR =
  /^.{0,200}\u26a1\ufe0f? {1,4}URL: (\S{1,4000})\s{1,4}.{0,200}\u26a1\ufe0f? {1,4}\S{1,400}?(:\d{1,9}:\d{1,9})[ \t]*\r?$/gm
/** pretty-error splits a frame into two lines: `  - a.js:2 pay` and `    /srv/app/a.js:2:22`. */
const PRETTY =
  /^([ \t]{0,16})- [^\s:]{1,200}:(\d{1,9})( \S[^\r\n]{0,200}?)?[ \t]{0,16}\r?\n\1 {2}(\S[^\r\n]{0,1000}:\2:\d{1,9})[ \t]*\r?$/gm

export function consoleFrame(raw: string): { name?: string; place: string } | undefined {
  const [, shown, where] = (raw.includes('.') && CONSOLE_FRAME.exec(raw)) || []
  if (where !== undefined) return named(shown?.startsWith('(anonymous') ? undefined : shown, where)
  const [, file, line, column, inside] = (raw.startsWith('File "') && ROLLBAR.exec(raw)) || []
  if (file !== undefined)
    return named(inside === '[anonymous]' ? undefined : inside, [file, line, column].filter(Boolean).join(':'))
  for (const pattern of raw.includes('Uncaught ') ? WEB_VIEW : []) {
    const [, source, at] = pattern.exec(raw) ?? []
    if (source !== undefined) return named(undefined, `${source}:${at}`)
  }
  return nativeScriptFrame(raw)
}

function nativeScriptFrame(raw: string): { name?: string; place: string } | undefined {
  const [, old, script, at, column] = (raw.includes('Frame: ') && NATIVE_SCRIPT_OLD.exec(raw)) || []
  if (script !== undefined) return named(old || undefined, `${script}:${at}:${column}`)
  const [, name, place] = (raw.includes('(file:///') && NATIVE_SCRIPT.exec(raw)) || []
  return place === undefined ? undefined : named(name || undefined, place)
}

/** Returns whether an Android error from NativeScript contains script frames. Script frames precede the Java frames that called them. */
export function isNativeScriptError(stack: string): boolean {
  return stack.includes('StackTrace:') && NATIVE_SCRIPT_STACK.test(stack)
}

function named(name: string | undefined, place: string): { name?: string; place: string } {
  return { place, ...(name !== undefined && { name }) }
}

/** Rejoins frames that Capacitor and pretty-error split into two lines. */
export function withoutSplitFrames(text: string): string {
  const whole = text.includes('\u26a1') ? text.replace(CAPACITOR, '$1$2') : text
  return whole.includes('- ') ? whole.replace(PRETTY, '$1at$3 ($4)') : whole
}
