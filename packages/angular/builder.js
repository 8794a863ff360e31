// This file is a CommonJS module, like Angular's own builders.
const { createBuilder } = require('@angular-devkit/architect')
const { buildApplication } = require('@angular/build')
const symupAngular = require('@symup/unplugin/angular')

module.exports = createBuilder(symupAngular(buildApplication))
