import type { MenuMatch } from "../VoiceCall.js"
import type { MenuItem } from "../workflows/NodeConfig.js"

/** Normalizes case, width and punctuation. */
const plain = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

const isWithin = (spoken: string, words: string) => words !== "" && ` ${spoken} `.includes(` ${words} `)

/**
 * The menu item that the caller chose, with a confidence of 1 for its exact name or keypad number, and 0.8 for its name
 * within a sentence. Of several matches the longest name wins. Null if none matches.
 */
export const matchMenu = (items: ReadonlyArray<MenuItem>, text: string): MenuMatch | null => {
  const spoken = plain(text)
  const named = items.flatMap((item, at) => {
    const names = [item.label, item.id, ...(item.keywords ?? [])].map(plain)
    if (names.includes(spoken) || spoken === String(at + 1)) return [{ item, confidence: 1, length: spoken.length }]
    const lengths = names.filter((name) => isWithin(spoken, name)).map((name) => name.length)
    return lengths.length === 0 ? [] : [{ item, confidence: 0.8, length: Math.max(...lengths) }]
  })
  const [best] = spoken === "" ? [] : named.sort((a, b) => b.confidence - a.confidence || b.length - a.length)
  return best === undefined
    ? null
    : {
        menuItemId: best.item.id,
        menuItemLabel: best.item.label,
        matchedText: text,
        confidence: best.confidence
      }
}
