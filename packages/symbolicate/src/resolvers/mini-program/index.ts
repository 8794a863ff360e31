import type { MiniProgramSource } from '../../artifacts.ts'
import type { Script } from '../javascript/load-script.ts'
import { MAX_FRAMES, MAX_STACK } from '../javascript/parse-stack.ts'
import { defineResolver } from '../resolver.ts'
import { explainMiniProgramStack } from './explain-stack.ts'

const ADDRESSES = [
  // WeChat and its script analysis
  /\bhttps:\/\/usr\/|\bhttps:\/\/[^\s/:]{1,200}\.js:\d|\bweapp:\/\/\/|\.cachedata:\d|\/\/servicewechat\.(?:qq\.)?com\/|\/__pageframe__\/|\/appservice\/(?:__dev__\/|appservice\?t=)|\/\/(?:127\.0\.0\.1|localhost):\d{1,5}\/appservice\/|^MiniProgramError$|^thirdScriptError$|\bWA(?:Service|Sub)\w{0,40}\.js(?:\?[^\s:]{0,200})?:\d|(?:^|[\s(@])app-?service(?:\.app)?\.js:\d/m,
  // Alipay
  /\bhttps:\/\/appx\/|\.hybrid\.alipay-eco\.com\/|\baf-appx[\w.-]{0,40}\.js:\d/,
  // Addresses from ByteDance, Baidu, Kuaishou, QQ and Xiaohongshu. For the last three, the URL must point to a script, because other URLs
  // could be links in a message.
  /\b(?:tt|swan):\/\/|\b(?:ks|qq|xhs):\/\/[^\s:]{1,200}\.js:\d|\btma-core\.js:\d/,
]

export const miniProgram = defineResolver({
  platform: 'miniprogram',
  limits: { frames: MAX_FRAMES, characters: MAX_STACK },
  isStack: (stack) => ADDRESSES.some((address) => address.test(stack)),
  canUse: ({ miniPrograms }) => miniPrograms !== undefined,
  create({ parsed }) {
    const maps = parsed.shelf<Script>('mini-program')
    return (question, { miniPrograms }) => explainMiniProgramStack(question, miniPrograms as MiniProgramSource, maps)
  },
})
