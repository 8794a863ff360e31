const { applyEdits, modify, parse } = require('jsonc-parser')

const ANGULARS = '@angular/build:application'
const OURS = '@symup/angular:application'
const OLDER = /^@angular-devkit\/build-angular:/

/** Implements `ng add @symup/angular`, which switches all applications to symup's builder. Repeated runs have no further effect. */
exports.default =
  () =>
  (tree, { logger }) => {
    const file = ['angular.json', '.angular.json'].find((path) => tree.exists(path))
    if (file === undefined)
      throw new Error('There is no angular.json here: run ng add in the directory of the workspace.')
    let text = tree.readText(file)
    const { projects = {} } = parse(text)
    const change = (path, value) => {
      const formattingOptions = { insertSpaces: !/^\t/m.test(text), tabSize: /^( +)\S/m.exec(text)?.[1].length ?? 2 }
      text = applyEdits(text, modify(text, path, value, { formattingOptions }))
    }
    let found = 0
    for (const [name, project] of Object.entries(projects)) {
      const targets = 'targets' in project ? 'targets' : 'architect'
      const { builder, options = {} } = project[targets]?.build ?? {}
      if (builder === OURS) found++
      else if (OLDER.test(builder ?? '')) {
        logger.warn(
          `${name} is built by ${builder}. Move it to ${ANGULARS} first: ng update @angular/cli --name use-application-builder`,
        )
      }
      if (builder !== ANGULARS) continue
      found++
      const build = ['projects', name, targets, 'build']
      change([...build, 'builder'], OURS)
      if (options.symup === undefined) change([...build, 'options', 'symup'], { service: name, version: 'auto' })
      logger.info(
        `${name}: ng build uploads its source maps. In ${file}, set service and version to what your app reports.`,
      )
    }
    if (found === 0) logger.warn(`No project in ${file} is built by ${ANGULARS}: nothing was changed.`)
    else logger.info('The key comes from the environment of the build: SYMUP_API_KEY=… ng build')
    tree.overwrite(file, text)
  }
