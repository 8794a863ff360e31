import { createHmac, timingSafeEqual } from 'node:crypto'

/** Signs and verifies `search_after_ctx`, the position of the next page, for one account. */
export interface Cursors {
  sign(accountId: number, seq: number): string
  /** @returns undefined unless this intake signed it for this account. */
  read(accountId: number, cursor: string): number | undefined
}

const PLACE = /^(\d{1,15})\.([\w-]{43})$/

export function createCursors(secret: string): Cursors {
  const signature = (accountId: number, seq: string) =>
    createHmac('sha256', secret).update(`${accountId} ${seq}`).digest('base64url')
  return {
    sign: (accountId, seq) => Buffer.from(`${seq}.${signature(accountId, String(seq))}`).toString('base64url'),
    read(accountId, cursor) {
      const [, seq, signed] = PLACE.exec(Buffer.from(cursor.slice(0, 200), 'base64url').toString('latin1')) ?? []
      if (seq === undefined || signed === undefined) return undefined
      const isOurs = timingSafeEqual(Buffer.from(signed), Buffer.from(signature(accountId, seq)))
      return isOurs ? Number(seq) : undefined
    },
  }
}
