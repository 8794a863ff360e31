/** The page that documents all codes. The `@symup/core` package also contains the page as `problems.md`. */
const DOCS_URL = 'https://github.com/symup/symup/blob/main/docs/problems.md'

/**
 * Returns the documentation URL of a problem code. The environment variable `SYMUP_DOCS_URL` selects another copy of the page, for example
 * on a company's network. Values that are not HTTP(S) URLs are ignored.
 */
export function docsUrl(code: string): string {
  const own = process.env.SYMUP_DOCS_URL ?? ''
  const page = /^https?:\/\//i.test(own) && URL.canParse(own) ? own.replace(/#.*$/, '') : DOCS_URL
  return `${page}#${code}`
}
