import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Line, type Link, printable } from '@symup/core'
import { createSupportsHyperlinks } from 'supports-hyperlinks'

/** Turns parts of a line into hyperlinks (OSC 8) if the terminal supports them. */
export function linked({ text, links = [] }: Line, output: NodeJS.WriteStream, cwd: string): string {
  if (links.length === 0 || !hasLinks(output)) return text
  let shown = ''
  let rest = text
  for (const link of links) {
    const { name, url } = targetOf(link, cwd)
    const at = rest.indexOf(name)
    if (at === -1 || name === '') continue
    shown += `${rest.slice(0, at)}${hyperlink(name, url)}`
    rest = rest.slice(at + name.length)
  }
  return shown + rest
}

function hasLinks(output: NodeJS.WriteStream): boolean {
  return output.isTTY === true && process.env.TERM !== 'dumb' && createSupportsHyperlinks(output)
}

/** Returns the target of a link. Unusual characters in URLs are escaped to make the link safe for terminals. */
function targetOf(link: Link, cwd: string): { name: string; url: string } {
  if ('file' in link) return { name: printable(link.file), url: pathToFileURL(resolve(cwd, link.file)).href }
  return { name: printable(link.text), url: new URL(link.url).href }
}

const hyperlink = (name: string, url: string) => `\u001b]8;;${url}\u001b\\${name}\u001b]8;;\u001b\\`
