import { LANGUAGE } from './words.ts'

/** Chinese translations of the English kind names that the intake sends. */
const KINDS: Readonly<Record<string, string>> = {
  js_sourcemap: 'JavaScript 源码映射',
  react_native_sourcemap: 'React Native 源码映射',
  jvm_mapping_file: 'ProGuard 或 R8 映射',
  ndk_symbol_file: 'Android 原生符号',
  ios_symbols: 'dSYM',
  flutter_symbol_file: 'Flutter 符号',
  harmony_sourcemap: 'ArkTS 源码映射',
  harmony_symbol_file: 'HarmonyOS 原生符号',
  miniprogram_sourcemap: '小程序源码映射',
  electron_symbol_file: 'Electron 符号',
  elf_symbol_file: 'ELF 符号',
  repository: 'Git 元数据',
  pe_symbol_file: 'Windows 符号',
  dotnet_portable_pdb: '.NET 符号',
  wasm_symbol_file: 'WebAssembly 符号',
  il2cpp_mapping_file: 'IL2CPP 映射',
}

const PARTS: Readonly<Record<string, string>> = {
  source_map: '源码映射',
  minified_file: '压缩文件',
  bundle: '打包文件',
  name_cache: '名称缓存',
  jvm_mapping_file: '映射文件',
  symbols_archive: '符号压缩包',
  sourcemap_archive: '源码映射压缩包',
  ndk_symbol_file: '原生符号文件',
  flutter_symbol_file: '符号文件',
  symbol_file: '符号文件',
  image: '镜像',
  repository: 'Git 元数据',
}

export function kindName({ kind, label }: { kind: string; label: string }): string {
  return (LANGUAGE === 'zh' && KINDS[kind]) || label
}

/** If an upload has neither a path nor a file name, the name of its kind is shown instead. */
export function uploadName({ title, ...named }: { kind: string; label: string; title: string }): string {
  return title.startsWith(named.label) ? kindName(named) + title.slice(named.label.length) : title
}

/** Formats names that have no translation: `minified_url` becomes `minified url`. */
export const readable = (field: string): string => field.replaceAll('_', ' ')

/** A dSYM has one part for each image. */
export function partName(part: string): string {
  const name = part.replace(/^image-.*/s, 'image')
  return (LANGUAGE === 'zh' && PARTS[name]) || readable(name)
}
