/** 2.5 words per second. Scripts without spaces between words are measured by characters. */
const msOfWord = 400
const msOfLetter = 60

/** The minimum duration of a text. */
const minSpeechMs = 1_000

/** The estimated duration of a spoken text in milliseconds. */
export const speechMs = (text: string): number => {
  const spoken = text.trim()
  const words = spoken.split(/\s+/).length
  return spoken === "" ? 0 : Math.max(minSpeechMs, words * msOfWord, [...spoken].length * msOfLetter)
}
