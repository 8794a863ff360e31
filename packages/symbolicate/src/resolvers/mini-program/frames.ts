import { urlPath } from '@symup/core/resolving'
import type { RawFrame } from '../../frames.ts'
import { FRAMES_READ, isForeign, parseStack } from '../javascript/parse-stack.ts'

// Matching a single space before `at` prevents long sequences of spaces from being scanned repeatedly.
const FRAME_IN_LINE = /(?<!\(eval)[ \t](?=at (?:[^\s()]+ )?\(?[a-z]+:\/\/[^\s()]+:\d+:\d+)/g

/**
 * Matches a JavaScriptCore frame with a relative path: `onLoad@pages/a.js:1:2`. In a stack from a web page, the same text could be an
 * e-mail address.
 */
const RELATIVE = /^([ \t]*[^\s@]{0,200}@)(?=[^\s@:/][^\s@:]{0,400}\.js:\d+:\d+[ \t]*\r?$)/gm

/**
 * Parses a mini program's stack from V8 or JavaScriptCore. In `wx.onError`, the frames may be part of the message, on one line or with
 * escaped line breaks.
 */
export function parseMiniProgramStack(stack: string): RawFrame[] {
  const lines = stack.includes('\n') ? stack : stack.replaceAll('\\n', '\n')
  const rooted = lines.replace(FRAME_IN_LINE, '\n').replace(RELATIVE, '$1/')
  return parseStack(rooted, FRAMES_READ).map((frame) =>
    stack.includes(frame.raw) ? frame : { ...frame, raw: frame.raw.replace('@/', '@') },
  )
}

/**
 * Matches frames in the host's own code: WeChat's library and devtools, and libraries from Alipay and ByteDance. Frames without a file also
 * belong to the host.
 */
const HOST_FRAME =
  /^https?:\/\/lib\/|\.cachedata$|\/__(?:dev|asdebug)__\/|(?:^|\/|^VM\d+ )(?:WA[A-Z]\w*\.js(?:[?#]|$)|(?:getmainpackage|af-appx[\w.-]*|tma-core)\.js$|appservice\?t=)|^VM\d+$/
/** The prefix that the devtools console adds to scripts, as in `VM147 pages/a.js`. */
const CONSOLE_ID = /^VM\d+ /

export function isHostFrame(frame: RawFrame): boolean {
  return isForeign(frame) || frame.line === undefined || HOST_FRAME.test(frame.file ?? '')
}

/**
 * Matches URLs whose host is the first segment of the path, such as `https://vendors.js` or `https://subPackages/a/b.js`. Phones and
 * WeChat's script analysis report such URLs.
 */
const PATH_AS_HOST = /^https?:\/\/(?!(?:usr|appx|localhost)(?:[:/]|$))(?=[^/.:]+\/|[^/:]+\.js$)/i
/**
 * Matches URLs with custom schemes whose first segment is part of the path, such as `tt://pages/a.js` (ByteDance) or `swan://app.js`
 * (Baidu). WeChat's `usr` and Alipay's `appx` are actual hosts.
 */
const SCHEME_WITHOUT_HOST = /^(?!https?:|file:)[a-z][a-z0-9+.-]{1,20}:\/+(?!(?:usr|appx)\/)/i

/**
 * Converts the script of a frame to a path in the mini program. On phones, `https://usr//chunk_0.appservice.js` becomes
 * `chunk_0.appservice.js`. In the devtools, `http://127.0.0.1:18025/appservice/pages/a.js` becomes `pages/a.js`. In WeChat's analysis,
 * `https://vendors.js` becomes `vendors.js`.
 */
export function scriptPath(file: string): string {
  const place = file.replace(CONSOLE_ID, '').replace(SCHEME_WITHOUT_HOST, '/').replace(PATH_AS_HOST, '/')
  const path = urlPath(place).replace(/^(?:\.?\/)+/, '')
  return /^https?:\/\/(?:127\.0\.0\.1|localhost)[:/]/i.test(file) ? path.replace(/^appservice\//, '') : path
}

/** Returns whether WeChat or Alipay generates the script when the app is uploaded. */
export function isHostBundle(path: string): boolean {
  return /(?:^|\/)(?:app-service|appservice\.app|[^/]+\.appservice|game|index\.worker)\.js$/.test(path)
}
