/** What RFC 8187 allows to stand as it is. */
const attributeCharacter = /[A-Za-z0-9!#$&+.^_`|~-]/

const percentEncoded = (text: string): string =>
  [...Buffer.from(text)]
    .map((octet) => {
      const character = String.fromCharCode(octet)
      return attributeCharacter.test(character) ? character : `%${octet.toString(16).toUpperCase().padStart(2, "0")}`
    })
    .join("")

/** The same name for those who know ASCII alone; nothing in it ends the quotes or names a folder. */
const plain = (text: string): string => text.replace(/[^\x20-\x7e]|["\\/%]/gu, "_")

/** Says that an answer is to be kept as a file of this name (RFC 6266), never shown. */
export const attachmentNamed = (filename: string): string => {
  const ascii = plain(filename)
  return ascii === filename
    ? `attachment; filename="${filename}"`
    : `attachment; filename="${ascii}"; filename*=UTF-8''${percentEncoded(filename)}`
}
