// The reporter has the form that `new Reporter()` from @parcel/plugin creates. Depending on @parcel/plugin would install all of Parcel's
// core, in any version.
const symup = import('@symup/unplugin/parcel')

module.exports = {
  [Symbol.for('parcel-plugin-config')]: { report: async (event) => (await symup).default(event) },
}
