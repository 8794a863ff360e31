import type { BinaryImage } from '@symup/symbolicate'
import { invalidParameter } from '../../platform/errors.ts'

const MAX_IMAGES = 20_000

/** Reads `binary_images` of an Apple stack. @throws ApiError */
export function readImages(value: unknown): BinaryImage[] {
  if (!Array.isArray(value) || value.length > MAX_IMAGES) throw invalidParameter('binary_images')
  return value.map((item: unknown): BinaryImage => {
    if (typeof item !== 'object' || item === null) throw invalidParameter('binary_images')
    const {
      uuid,
      name,
      is_system: isSystem,
      load_address: load,
      max_address: max,
      arch,
    } = item as Record<string, unknown>
    if (typeof uuid !== 'string' || typeof name !== 'string') throw invalidParameter('binary_images')
    const maxAddress = readAddress(max)
    return {
      uuid,
      name,
      isSystem: isSystem === true,
      // No address is found in an image without a load address.
      loadAddress: readAddress(load) ?? Number.MAX_SAFE_INTEGER,
      ...(maxAddress !== undefined && { maxAddress }),
      ...(typeof arch === 'string' && { arch }),
    }
  })
}

/** A number, `0x104a38000`, hexadecimal without a prefix, or decimal digits. */
function readAddress(value: unknown): number | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const address =
    typeof value !== 'string'
      ? value
      : /^\d+$/.test(value)
        ? Number(value)
        : Number.parseInt(value.replace(/^0x/i, ''), 16)
  if (!Number.isSafeInteger(address) || (address as number) < 0) throw invalidParameter('binary_images')
  return address as number
}
