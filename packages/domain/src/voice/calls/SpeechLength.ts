/** Two and a half words a second; writing without spaces between words is measured by its letters. */
const msOfWord = 400
const msOfLetter = 60

/** Nobody says anything faster. */
const shortestMs = 1_000

/** How long it takes to say a text. */
export const speechMs = (text: string): number => {
  const said = text.trim()
  const words = said.split(/\s+/).length
  return said === "" ? 0 : Math.max(shortestMs, words * msOfWord, [...said].length * msOfLetter)
}
