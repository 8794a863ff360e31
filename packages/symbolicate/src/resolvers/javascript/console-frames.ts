/**
 * `pay @ index-C7x.js:1`, `pay @ VM28 pay.js:1` and `pay https://h/index-C7x.js:1`, as the consoles of Chrome and Firefox show a call stack, and copy it.
 * `GET https://h/a.js:1` is a request.
 */
const CONSOLE_FRAME =
  /^(?!(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE|XHR) http)(\(anonymous function\)|\S{1,200}) (?:@ |(?=https?:))((?:VM\d{1,9} )?\S+\.(?:[cm]?[jt]sx?|vue|svelte|dart)(?:\?[^\s?]{0,2000})?:\d{1,9}(?::\d{1,9})?)$/
/** `File "https://h/a.js", line 1, in pay`, as Rollbar shows a stack, and copies it into an issue; Python writes its own so. */
const ROLLBAR = /^File "(?!<)([^"]{1,4000})(?<!\.pyx?)", line (\d{1,9})(?:,? col(?:umn)? (\d{1,9}))?(?:, in (\S.*))?$/
/** `[INFO:CONSOLE(1)] "Uncaught Error: x", source: http://localhost/a.js (1)`, Android's WebView; `File: http://localhost/a.js - Line 1 - Msg: Uncaught …`, Capacitor. */
const WEB_VIEW = [
  /:CONSOLE[(:]\d{1,9}\)?\] "Uncaught .*", source: (\S{1,4000}) \((\d{1,9})\)$/,
  /\bFile: (\S{1,4000}) - Line (\d{1,9}) - Msg: Uncaught /,
]
/** Two lines of Capacitor's on iOS: `⚡️  URL: capacitor://localhost/a.js` and `⚡️  a.js:55:29`. */
const CAPACITOR =
  /^.{0,200}\u26a1\ufe0f? {1,4}URL: (\S{1,4000})\s{1,4}.{0,200}\u26a1\ufe0f? {1,4}\S{1,400}?(:\d{1,9}:\d{1,9})[ \t]*\r?$/gm
/** Two lines of pretty-error's: `  - a.js:2 pay` and `    /srv/app/a.js:2:22`. */
const PRETTY =
  /^([ \t]{0,16})- [^\s:]{1,200}:(\d{1,9})( \S[^\r\n]{0,200}?)?[ \t]{0,16}\r?\n\1 {2}(\S[^\r\n]{0,1000}:\2:\d{1,9})[ \t]*\r?$/gm

/** Of a line that a console or a tracker shows in its own way: the function's name, and the place. */
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
  return undefined
}

function named(name: string | undefined, place: string): { name?: string; place: string } {
  return { place, ...(name !== undefined && { name }) }
}

/** A text in which each frame that Capacitor or pretty-error writes in two lines has one. */
export function withoutSplitFrames(text: string): string {
  const whole = text.includes('\u26a1') ? text.replace(CAPACITOR, '$1$2') : text
  return whole.includes('- ') ? whole.replace(PRETTY, '$1at$3 ($4)') : whole
}
