import type { Reason } from '@symup/symbolicate'
import type { FrameReason } from '../../src/inspector/api.ts'
import { LANGUAGE } from './words.ts'

/** Problems that a proof finds, by the codes of `@symup/core`, and what becomes of live errors that cannot be tried. */
type OtherCode =
  | 'map-stale'
  | 'map-offset'
  | 'map-invalid'
  | 'map-low-resolution'
  | 'map-incomplete'
  | 'sources-without-content'
  | 'release-unknown'
  | 'ServiceUnavailable'

/** What each reason means and what to do about it, as `REASONS` of `@symup/symbolicate` has it in English. */
const CHINESE: Readonly<Record<Reason['code'] | OtherCode, readonly [cause: string, fix: string]>> = {
  'no-artifact': ['没有上传此文件的符号文件。', '上传该版本的符号文件，服务和版本要与应用上报的一致。'],
  'version-mismatch': ['此文件已上传，但版本与堆栈中的不同。', '让上传的版本与应用上报的版本一致。'],
  'service-mismatch': ['此文件已上传，但属于另一个服务。', '让上传的服务与应用上报的服务一致。'],
  'prefix-mismatch': ['该服务和版本上传过同名文件，但路径不同。', '用文件部署所在的路径前缀重新上传。'],
  'no-mapping-at-position': ['映射中没有这个位置。', '确认映射与此文件完全对应，且构建后没有再添加内容。'],
  'not-a-project-frame': ['这一帧在浏览器、系统、运行时或扩展中，不在应用里。', ''],
  'no-position': ['这一帧没有列号，而这一行对应多行原始代码。', '上报带有行号和列号的堆栈。'],
  'map-unusable': ['上传的映射无法读取。', '重新构建并上传此文件。'],
  ambiguous: ['该服务和版本有多个匹配的上传，且内容不同。', '指明小程序的 appid，或让每次构建使用自己的版本。'],
  'other-host': [
    '此文件是为另一个主机上传的，路径相同，因此仍已还原。',
    '若两个主机部署同一构建，无需处理；否则请用各自的前缀分别上传。',
  ],
  'appid-mismatch': ['该版本已上传，但属于其他小程序。', '让上传的 appid 与应用上报的一致。'],
  'layout-mismatch': ['映射与堆栈来自宿主打包的不同阶段。', '上传堆栈中所列脚本的映射。'],
  'mapping-mismatch': ['这一帧指明了其构建的映射，而上传的是另一个。', '上传正在运行的那次构建的映射文件。'],
  'not-in-mapping': [
    '映射中没有这个类：它没有被改名，或者映射属于另一次构建。',
    '如果名称可读，无需处理；否则请上传这次构建的映射文件。',
  ],
  'compiler-generated': ['这一帧在编译器生成的代码中，原始程序没有这一帧。', ''],
  'already-original': ['堆栈来自调试构建：这一帧已是原始位置。', ''],
  'names-obfuscated': [
    '已知文件和行号，但名称仍是混淆后的：没有随映射上传名称缓存。',
    '随源码映射一起上传 nameCache.json（发布构建的 obfuscation/nameCache.json）。',
  ],
  'not-resolvable-here': ['这类帧不能用这些符号文件还原。', '上传该版本未 strip 的原生库。'],
  'image-unknown': ['该地址不在堆栈所带的任何二进制镜像中。', '上报堆栈时附上二进制镜像列表。'],
  'build-id-unknown': [
    '堆栈没有给出库的 build-id（或 UUID），仅凭名称无法确定是哪一个。',
    '用 -Wl,--build-id 链接，并上报带 build-id 的堆栈。',
  ],
  'build-id-mismatch': [
    '上传过同名的库，但来自另一次构建：build-id（或 UUID）不同。',
    '上传实际发布的那次构建的符号；重新构建会得到另一个 ID。',
  ],
  'no-debug-info': [
    '上传的库有符号表但没有调试信息：只知道函数，不知道文件和行号。',
    '用 -g 编译，并上传 strip 之前的库。',
  ],
  'split-debug-info': [
    '这段代码的调试信息在另一个文件（如 .dwo）中：只知道函数，不知道文件和行号。',
    '用 -gno-split-dwarf 编译发布的代码，让库自带调试信息。',
  ],
  'kind-not-resolved': [
    '这类符号文件（PE、PDB、.NET、IL2CPP）只存储和列出，不用于还原堆栈。',
    'Windows 原生代码请用 dump_syms 转换 PDB，再用 symup electron upload 上传 .sym 文件。',
  ],
  'symbols-unusable': ['上传的原生符号无法读取。', '重新构建并上传此文件。'],
  'minified-file-differs': ['运行的文件与上传的文件不同。', '部署并上传同一次构建的产物，并让每次构建使用自己的版本。'],
  'uploaded-after-event': ['映射在事件发生之后才上传，当时无法用它还原。', '请在发布前上传；今后的事件可以还原。'],
  'map-stale': [
    '代码不在映射所说的位置：文件在生成映射之后被改动，或映射属于另一次构建。',
    '重新构建，之后不要在不更新映射的情况下改写文件。',
  ],
  'map-offset': [
    '代码与映射所说的位置相差若干行或列：生成映射之后在前面加入了内容（如横幅或许可证）。',
    '让打包工具自己添加（用它的 banner 选项），映射才会把它计算在内。',
  ],
  'map-invalid': ['映射无法使用。', '重新构建并上传此文件。'],
  'map-low-resolution': [
    '映射几乎没有列信息：压缩后的一长行全部还原到同一行。',
    '使用完整的源码映射，不要用只有行号的 cheap 类型；使用 magic-string 的插件请设置 `hires: true`。',
  ],
  'map-incomplete': [
    '文件或其中很长一段在映射中没有来源，那里的堆栈无法还原。',
    '找出改动代码却没有返回映射的插件，或构建之后改动文件的步骤。',
  ],
  'sources-without-content': [
    '映射只列出源文件，没有它们的文本；还原的堆栈没有源码行，也未能验证。',
    '开启源文件内容：源码映射设置中不要用 `nosources`；TypeScript 请用 inlineSources。',
  ],
  'release-unknown': ['SDK 启动时没有给出服务或版本。', '在 SDK 的 init 中设置 service 和 version。'],
  ServiceUnavailable: ['暂时无法还原此堆栈。', '请稍后再试。'],
  'out-of-time': [
    '读取此堆栈的符号文件用完了允许的时间。',
    '请再试一次：读过的文件仍在内存中。若仍不行，请减少一次还原的帧数。',
  ],
}

/** A reason in the page's language. Names and versions are then in `original` alone, as the intake says them. */
export function localized({ code, message, fix }: FrameReason): FrameReason & { original?: string } {
  const chinese = LANGUAGE === 'zh' ? CHINESE[code as keyof typeof CHINESE] : undefined
  return chinese ? { code, message: chinese[0], fix: chinese[1], original: message } : { code, message, fix }
}
