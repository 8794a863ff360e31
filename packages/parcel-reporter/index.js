// A plugin of Parcel as `new Reporter()` of @parcel/plugin makes it. That package would bring all of Parcel's core with it, in whatever version.
const symup = import('@symup/unplugin/parcel')

module.exports = {
  [Symbol.for('parcel-plugin-config')]: { report: async (event) => (await symup).default(event) },
}
