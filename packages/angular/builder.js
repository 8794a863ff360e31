// CommonJS, as Angular's own builders are.
const { createBuilder } = require('@angular-devkit/architect')
const { buildApplication } = require('@angular/build')
const symupAngular = require('@symup/unplugin/angular')

module.exports = createBuilder(symupAngular(buildApplication))
