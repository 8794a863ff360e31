import { ELF } from './file-content.ts'
import { type AcceptedKind, acceptedKind } from './kind.ts'

/** Kinds of files that an intake accepts from other clients. symup itself does not send them. */
export const ACCEPTED_ONLY: readonly AcceptedKind[] = [
  acceptedKind('elf_symbol_file', 'ELF symbols', 'android', { content: ELF }),
  acceptedKind('repository', 'Git metadata', 'browser'),
  acceptedKind('pe_symbol_file', 'Windows symbols', 'browser'),
  acceptedKind('dotnet_portable_pdb', '.NET symbols', 'browser'),
  acceptedKind('wasm_symbol_file', 'WebAssembly symbols', 'browser'),
  acceptedKind('il2cpp_mapping_file', 'IL2CPP mapping', 'android'),
]
