import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../platform/errors.ts'

/** Blocks external and inline content, so that the page never executes uploaded content. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Build output of `packages/inspector`. The path depends on whether this file runs from source or from the bundle in `dist/`. */
const BUILT = new URL(import.meta.url.endsWith('.ts') ? '../../inspector/' : '../inspector/', import.meta.url)

const NOT_BUILT = `<!doctype html><html lang="en"><title>symup intake</title><body>
<h1>symup intake</h1><p>The intake is running, but the inspector page is not built. Run <code>npm run build:inspector</code> in the workspace.</p></body></html>`

interface PageFile {
  type: string
  body: Buffer
}

/** The file list is fixed once it has been read, so requests cannot access any other file. */
function readPage(): Map<string, PageFile> {
  const files = new Map<string, PageFile>()
  if (!existsSync(BUILT)) return files
  for (const name of readdirSync(BUILT, { recursive: true, encoding: 'utf8' })) {
    const type = TYPES[extname(name)]
    const path = name.replaceAll('\\', '/')
    if (type) files.set(path, { type, body: readFileSync(new URL(path, BUILT)) })
  }
  return files
}

export function routePage(app: FastifyInstance): void {
  let read: Map<string, PageFile> | undefined
  const files = () => {
    read ??= readPage()
    return read
  }
  app.get('/', async (_, reply) => {
    const { type, body } = files().get('index.html') ?? { type: TYPES['.html'] as string, body: Buffer.from(NOT_BUILT) }
    return reply.headers({ 'Content-Type': type, 'Cache-Control': 'no-store' }).send(body)
  })
  app.get('/inspector/assets/:file', async (request, reply) => {
    const file = files().get(`assets/${(request.params as { file: string }).file}`)
    if (!file) throw new ApiError('RouteNotFound')
    return reply
      .headers({ 'Content-Type': file.type, 'Cache-Control': 'public, max-age=31536000, immutable' })
      .send(file.body)
  })
}
