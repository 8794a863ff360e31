import { type Problem, problem, type Settings } from '@symup/core'
import { t } from '@symup/core/text'
import type { SymupOptions } from './options.ts'

/** What the client that reports errors has to say, exactly as the upload said it. */
type Release = Pick<Settings, 'service' | 'version'>

/** Options of plugins that wrote the release into a page: of several builds with one plugin, some write none. */
const inPages = new WeakSet<SymupOptions>()

const OPEN = '<meta name="release" content="'
const META = /<meta\s[^>]*\bname\s*=\s*["']?release["'\s>][^>]*>/i
/** Behind the first of these that a page has; in a comment none of them counts. */
const STARTS = [/<head(?:\s[^>]*)?>/i, /<html(?:\s[^>]*)?>/i, /<!doctype[^>]*>/i]
const COMMENT = /<!--[\s\S]*?-->/g

/** Writes the release of a build into its pages, where the option asks for it. */
export class ReleaseInPages {
  readonly #options: SymupOptions
  readonly #content: string | undefined

  constructor(options: SymupOptions, { service, version }: Partial<Release>) {
    this.#options = options
    // What could not be read is empty.
    const isKnown = Boolean(service?.value && version?.value)
    if (options.injectRelease && isKnown)
      this.#content = JSON.stringify({ service: service?.value, version: version?.value })
  }

  /** A page with the release in its head; as it is where nothing is to be written. What an earlier build wrote is replaced. */
  page(html: string): string {
    if (this.#content === undefined) return html
    inPages.add(this.#options)
    const meta = `${OPEN}${escaped(this.#content)}">`
    // Comments in the way, without a change of places.
    const visible = html.replace(COMMENT, (comment) => ' '.repeat(comment.length))
    const own = META.exec(visible)
    if (own) return html.slice(0, own.index) + meta + html.slice(own.index + own[0].length)
    const start = STARTS.map((tag) => tag.exec(visible)).find((it) => it !== null)
    const at = start ? start.index + start[0].length : 0
    return html.slice(0, at) + meta + html.slice(at)
  }

  problems(): Problem[] {
    if (this.#content === undefined || inPages.has(this.#options)) return []
    return [problem('release-not-injected', t`The build wrote no HTML page, so none names the release.`)]
  }
}

function escaped(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' }
  return text.replace(/[&"<>]/g, (character) => names[character] as string)
}
