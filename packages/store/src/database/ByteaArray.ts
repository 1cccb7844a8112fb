/** The object id of the type bytea. */
const byteaType = 17

/**
 * A `bytea[]` parameter in PostgreSQL's binary format (`array_recv`). pg would write its text in hexadecimal, which takes
 * four times the memory.
 */
export const byteaArray = (values: ReadonlyArray<Uint8Array>): Buffer => {
  const size = values.reduce((sum, { byteLength }) => sum + 4 + byteLength, 20)
  const octets = Buffer.allocUnsafe(size)
  // One dimension, no NULL, the type, the number of values, the first index.
  let at = [1, 0, byteaType, values.length, 1].reduce((place, field) => octets.writeInt32BE(field, place), 0)
  for (const value of values) {
    at = octets.writeInt32BE(value.byteLength, at)
    octets.set(value, at)
    at += value.byteLength
  }
  return octets
}
