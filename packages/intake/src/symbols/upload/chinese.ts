import { inChinese } from '@symup/core/text'
import { ApiError } from '../../platform/errors.ts'

/** Chinese texts of refused uploads. `$1` is the first group. */
const SENTENCES: readonly (readonly [english: RegExp, chinese: string])[] = [
  [/^The part is missing\.$/, '缺少该部分。'],
  [/^The file is empty\.$/, '文件为空。'],
  [/^It is not JSON\.$/, '不是合法的 JSON。'],
  [/^It is not a JSON object\.$/, '不是 JSON 对象。'],
  [/^It has no list data\.$/, '缺少列表 data。'],
  [/^No stack names a path with \.\. in it\.$/, '路径中不能包含 ..。'],
  [/^It is not a known type\.$/, '未知的类型。'],
  [/^A number is too large\.$/, '数值过大。'],
  [/^It is nested more than (\d+) levels deep\.$/, '嵌套超过 $1 层。'],
  [/^It has more than (\d+) values\.$/, '其中的值超过 $1 个。'],
  [/^A text is longer than (\d+) characters\.$/, '文本超过 $1 个字符。'],
  [/^A text has a character that cannot be stored\.$/, '文本中含有无法存储的字符。'],
  [/^There are two parts of this name\.$/, '存在两个同名部分。'],
  [/^The content type names no boundary\.$/, 'Content-Type 缺少 boundary。'],
  [/^It is not text\. Send it with a file name\.$/, '不是文本，请附带文件名发送。'],
  [/^It ended early\.$/, '请求体提前结束。'],
  [/^It is not what its Content-Encoding says, or it is truncated\.$/, '与 Content-Encoding 不符，或内容被截断。'],
  [/^It is not well formed: (.*)\.$/s, '格式不正确：$1。'],
  [/^It must be a list of lower-case hex hashes\.$/, '必须是小写十六进制哈希的列表。'],
  [/^There are more than (\d+)\.$/, '数量超过 $1。'],
  [/^It must give sha256 and filename of each part\.$/, '每个部分都必须给出 sha256 和 filename。'],
  [/^There is no file part (.*)\.$/s, '没有名为 $1 的文件部分。'],
  [/^The content of (.*) is not held\. Send it\.$/s, '未持有 $1 的内容，请直接上传。'],
  [/^It is not a source map of version 3\.$/, '不是版本 3 的 source map。'],
  [/^Only a source map with a debug id may leave it out\.$/, '只有带 debug id 的 map 可以省略。'],
  [/^The file is a zip archive, not a mapping file\.$/, '该文件是 zip 压缩包，不是 mapping 文件。'],
  [
    /^The file is a native library, which is sent with event\.type (\w+)\.$/,
    '该文件是原生库，应以 event.type $1 上传。',
  ],
  [/^(.*) is stripped\. Upload the library as it was before stripping\.$/s, '$1 已被 strip，请上传 strip 之前的库。'],
  [/^(.*) has the build-id (\w+)\.$/s, '$1 的 build-id 是 $2。'],
  [/^It holds no Mach-O file with a UUID\.$/, '其中没有带 UUID 的 Mach-O 文件。'],
  [/^It is not a list of UUIDs\.$/, '不是 UUID 列表。'],
  [/^(\S+) is not in the archive, which has (.*)\.$/s, '压缩包中没有 $1，其中有 $2。'],
  [
    /^(.*) has no debug information\. Upload the dSYM, not the app's binary\.$/s,
    '$1 没有调试信息。请上传 dSYM，而不是应用的二进制文件。',
  ],
  [/^The (?:decompressed )?body is larger than (\d+) bytes\.$/, '请求体超过 $1 字节。'],
  [/^The part (\S+) is larger than (\d+) bytes\.$/, '部分 $1 超过 $2 字节。'],
  [/^The body has more than (\d+) parts\.$/, '请求体超过 $1 个部分。'],
  [/^The body must be multipart\/form-data\.$/, '请求体必须是 multipart/form-data。'],
  [/^The body must be a JSON object\.$/, '请求体必须是 JSON 对象。'],
  [/^The content encoding (.*) is not supported\.$/s, '不支持内容编码 $1。'],
  [/^The intake's disk is full\.$/, '服务磁盘空间不足。'],
  [/^The store cannot be reached\. Try again\.$/, '暂时无法访问存储，请重试。'],
  [
    /^(.*): \.note\.gnu\.build-id section not found\. .*$/s,
    '$1：未找到 .note.gnu.build-id 段。请使用 -Wl,--build-id 构建 .so，并上传未 strip 的文件',
  ],
  [
    /^The archive contains more than (\d+) images\. Upload several archives\.$/,
    '压缩包中的镜像超过 $1 个，请分成多个压缩包上传。',
  ],
  [/^A mapping file is sent with event\.type (\w+)\.$/, 'mapping 文件应以 event.type $1 上传。'],
  [/^A dSYM archive is sent with event\.type (\w+)\.$/, 'dSYM 压缩包应以 event.type $1 上传。'],
  [/^This event\.type takes one ELF library\.$/, '该 event.type 只接受一个 ELF 库。'],
  [/^No \.js\.map entries found in the sourcemap archive$/, 'sourcemap 压缩包中没有 .js.map 条目'],
]

const PARAMETER = /^The specified parameter (\S+) is not valid\.(?: (.*))?$/s

/** The refusal with a text per language. Without a translation, both are English. */
export function inEachLanguage(error: unknown): unknown {
  if (!(error instanceof ApiError) || !error.isPlain) return error
  const { message: en, code, headers } = error
  const [isParameter, name, detail = ''] = PARAMETER.exec(en) ?? []
  const translated =
    isParameter === undefined || detail !== '' ? translate(isParameter === undefined ? en : detail) : ''
  if (translated === undefined) return new ApiError(code, { en, zh: en }, headers)
  const zh = isParameter === undefined ? translated : `指定的参数 ${name} 无效。${translated}`
  return new ApiError(code, { en, zh }, headers)
}

/** A detail about a format has symup's own Chinese text, if there is one. */
function translate(text: string): string | undefined {
  const [english, chinese] = SENTENCES.find(([pattern]) => pattern.test(text)) ?? []
  if (english && chinese) return text.replace(english, chinese)
  const known = inChinese(text)
  if (known !== undefined && !ENGLISH.test(known)) return known
  const sentences = text.split(/(?<=\.) (?=[A-Z])/)
  if (sentences.length === 1) return undefined
  const each = sentences.map(translate)
  return each.every((it) => it !== undefined) ? each.join('') : undefined
}

/** If a value in the text has no translation, the whole text stays English. */
const ENGLISH = /[a-z]{2,} [a-z]{2,} [a-z]{2,}/
