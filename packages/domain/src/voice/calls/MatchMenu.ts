import type { MenuMatch } from "../VoiceCall.js"
import type { MenuItem } from "../workflows/NodeConfig.js"

/** Words without what does not change them. */
const plain = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

const isWithin = (heard: string, words: string) => words !== "" && ` ${heard} `.includes(` ${words} `)

/**
 * The item that somebody chose, and how sure that is: named as it is or by its number on the keypad, or named in a
 * sentence. Of several that were named, the one whose name is longest. Null if nothing of the menu was named.
 */
export const matchMenu = (items: ReadonlyArray<MenuItem>, text: string): MenuMatch | null => {
  const heard = plain(text)
  const named = items.flatMap((item, at) => {
    const names = [item.label, item.id, ...(item.keywords ?? [])].map(plain)
    if (names.includes(heard) || heard === String(at + 1)) return [{ item, confidence: 1, length: heard.length }]
    const lengths = names.filter((name) => isWithin(heard, name)).map((name) => name.length)
    return lengths.length === 0 ? [] : [{ item, confidence: 0.8, length: Math.max(...lengths) }]
  })
  const [best] = heard === "" ? [] : named.sort((a, b) => b.confidence - a.confidence || b.length - a.length)
  return best === undefined
    ? null
    : {
        menuItemId: best.item.id,
        menuItemLabel: best.item.label,
        matchedText: text,
        confidence: best.confidence
      }
}
