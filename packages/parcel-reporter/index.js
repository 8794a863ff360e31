// A Parcel plugin in the form that `new Reporter()` of @parcel/plugin creates. That package would add all of Parcel's core, in any version.
const symup = import('@symup/unplugin/parcel')

module.exports = {
  [Symbol.for('parcel-plugin-config')]: { report: async (event) => (await symup).default(event) },
}
