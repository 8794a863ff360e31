import { install } from './test/support/install.ts'
import { RECIPES } from './test/frameworks/recipe.ts'
await install(RECIPES)
