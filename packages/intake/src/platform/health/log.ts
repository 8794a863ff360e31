import type { FastifyBaseLogger } from 'fastify'
import { destination, pino } from 'pino'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** Omits URL queries from the log, because they contain the app key. */
export function createLogger(level: LogLevel): FastifyBaseLogger {
  const serializers = {
    req: ({ method, url, ip }: { method: string; url: string; ip: string }) => ({
      method,
      path: url.split('?', 1)[0]?.slice(0, 300),
      ip,
    }),
    res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
  }
  return pino({ level, serializers }, destination({ dest: 2, sync: true })) as unknown as FastifyBaseLogger
}
