// The object has the same structure as the result of `new Reporter()` from @parcel/plugin. A dependency on @parcel/plugin would install
// Parcel's core, possibly in another version.
const symup = import('@symup/unplugin/parcel')

module.exports = {
  [Symbol.for('parcel-plugin-config')]: { report: async (event) => (await symup).default(event) },
}
