/** The page with all codes, as it is rendered; the package `@symup/core` also contains it as `problems.md`. */
const DOCS_URL = 'https://github.com/symup/symup/blob/main/docs/problems.md'

/**
 * Address of the documentation of a code. `SYMUP_DOCS_URL` in the environment names another copy of the page, such as one
 * inside a company's network; a value that is not an http(s) URL is passed over.
 */
export function docsUrl(code: string): string {
  const own = process.env.SYMUP_DOCS_URL ?? ''
  const page = /^https?:\/\//i.test(own) && URL.canParse(own) ? own.replace(/#.*$/, '') : DOCS_URL
  return `${page}#${code}`
}
