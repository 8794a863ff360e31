export { type ModuleFacts, type ModuleQuestion, readModuleFacts } from './module-facts.ts'
export { type BuildFacts, planMapping } from './plan-mapping.ts'
export { variantOfMappingPath } from './variant.ts'
