import type { EnrichedFrame } from '../../platform/wire/enriched-frame.ts'
import { Optional, Type } from '../../platform/wire/schema.ts'

const place = {
  function: Type.String(),
  class_name: Type.String(),
  method_name: Type.String(),
  file: Type.String(),
  line: Type.Integer(),
  column: Type.Integer(),
}
const binary = { module: Type.String(), address: Type.String() }

/** The schema of an answered frame, for OpenAPI and for the JSON writer. */
export const Frame = Type.Unsafe<EnrichedFrame>(
  Type.Extended(
    Optional({
      ...place,
      ...binary,
      inlined: Type.Boolean(),
      candidates: Type.Array(Type.Array(Optional(place))),
      reason: Type.Object({ code: Type.String(), message: Type.String(), fix: Type.String() }),
      note: Type.String(),
    }),
    {
      raw: Type.String(),
      converted: Type.Boolean(),
      third_party: Type.Boolean(),
      original_frame: Optional({ ...place, ...binary }),
      code_snippets: Type.Array(Type.Object({ line: Type.Integer(), code: Type.String() })),
    },
  ),
)
