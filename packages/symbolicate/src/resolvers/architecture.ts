import { archOfAbi } from '@symup/core/resolving'

/** Alternative names for architectures that clients, stacks and runtimes use, such as `ia32` in Dart. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  aarch64: 'arm64',
  amd64: 'x64',
  arm32: 'arm',
  i386: 'x86',
  i686: 'x86',
  ia32: 'x86',
}

/** Returns whether two names denote the same architecture. For example, `arm64` is also called `aarch64`. */
export function isSameArchitecture(one: string, other: string): boolean {
  return plain(one) === plain(other)
}

function plain(name: string): string {
  const small = name.toLowerCase()
  return archOfAbi(small) ?? (Object.hasOwn(OTHER_NAMES, small) ? (OTHER_NAMES[small] as string) : small)
}
