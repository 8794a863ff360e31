export { type FieldName, type GradleBuild, parseGradleBuild, type Value } from './gradle-build.ts'
export { type Variant, variantOfMappingPath, variantsOf } from './variant.ts'
