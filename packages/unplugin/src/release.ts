import { type Problem, problem, type Settings } from '@symup/core'
import { t } from '@symup/core/text'
import type { SymupOptions } from './options.ts'

/** The service and version, which must match the values that the error-reporting client sends. */
type Release = Pick<Settings, 'service' | 'version'>

/** The options of plugins that have written the release into at least one page. Builds that share a plugin may not all write pages. */
const inPages = new WeakSet<SymupOptions>()

const OPEN = '<meta name="release" content="'
const META = /<meta\s[^>]*\bname\s*=\s*["']?release["'\s>][^>]*>/i
/** The positions where the tag can be inserted, in order of preference. Matches in comments are ignored. */
const STARTS = [/<head(?:\s[^>]*)?>/i, /<html(?:\s[^>]*)?>/i, /<!doctype[^>]*>/i]
const COMMENT = /<!--[\s\S]*?-->/g

/** Writes the release into the pages of a build if `injectRelease` is set. */
export class ReleaseInPages {
  readonly #options: SymupOptions
  readonly #content: string | undefined

  constructor(options: SymupOptions, { service, version }: Partial<Release>) {
    this.#options = options
    // A value is empty if it could not be resolved.
    const isKnown = Boolean(service?.value && version?.value)
    if (options.injectRelease && isKnown)
      this.#content = JSON.stringify({ service: service?.value, version: version?.value })
  }

  /**
   * Returns the page with the release added to its head, replacing the release from an earlier build. If the release is unknown, the page
   * stays unchanged.
   */
  page(html: string): string {
    if (this.#content === undefined) return html
    inPages.add(this.#options)
    const meta = `${OPEN}${escaped(this.#content)}">`
    // Comments are replaced with spaces, so that offsets do not change.
    const visible = html.replace(COMMENT, (comment) => ' '.repeat(comment.length))
    const own = META.exec(visible)
    if (own) return html.slice(0, own.index) + meta + html.slice(own.index + own[0].length)
    const start = STARTS.map((tag) => tag.exec(visible)).find((it) => it !== null)
    const at = start ? start.index + start[0].length : 0
    return html.slice(0, at) + meta + html.slice(at)
  }

  problems(): Problem[] {
    if (this.#content === undefined || inPages.has(this.#options)) return []
    return [
      problem(
        'release-not-injected',
        t`The build did not write an HTML page, so the release was not added to any page.`,
      ),
    ]
  }
}

function escaped(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' }
  return text.replace(/[&"<>]/g, (character) => names[character] as string)
}
