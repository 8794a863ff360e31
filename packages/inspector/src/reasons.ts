import { type Catalogue, catalogueOf } from '@symup/core/catalogue'
import type { FrameReason } from '@symup/intake/inspector'
import { LANGUAGE } from './words.ts'

/** Translations of causes that occur only in live errors. The message catalog contains all other causes. */
const OF_LIVE_ERRORS: Readonly<Record<string, readonly [cause: string, fix: string]>> = {
  'release-unknown': ['SDK 启动时没有给出服务或版本。', '在 SDK 的 init 中设置 service 和 version。'],
  ServiceUnavailable: ['暂时无法还原此堆栈。', '请稍后再试。'],
}

let chinese: Catalogue | undefined

export async function loadReasons(): Promise<void> {
  if (LANGUAGE !== 'zh') return
  const { default: texts } = await import('@symup/core/zh/reasons.json')
  chinese = catalogueOf(texts)
}

/** Translates a message but keeps the names and versions that it contains. */
export function inLanguage(english: string): string {
  return chinese?.sentence(english) ?? english
}

export function localized({ code, message, fix }: FrameReason): FrameReason {
  const own = chinese && OF_LIVE_ERRORS[code]
  return own ? { code, message: own[0], fix: own[1] } : { code, message: inLanguage(message), fix: inLanguage(fix) }
}
