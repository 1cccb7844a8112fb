/** Longest line of a mail (RFC 5322 section 2.1.1): no Message-ID is longer. */
const longest = 998

const bracketed = /<([^<>]*)>/g
const bare = /(?<![^\s,;"'])[^\s<>@,;"']+@[^\s<>@,;"']+/g

/** What is in brackets, wherever somebody has folded it. */
const idOf = (inside: string): string | null => {
  const id = inside.replace(/\s+/g, "")
  const isOne = id !== "" && id.length <= longest - 2 && (id === inside.trim() || id.includes("@"))
  return isOne ? `<${id}>` : null
}

/** The Message-IDs that a header names, with their brackets, whatever stands around them; if none has brackets, what looks like one. */
export const messageIds = (value: string): ReadonlyArray<string> => {
  const ids = [...value.matchAll(bracketed)].flatMap(([, inside = ""]) => idOf(inside) ?? [])
  const found = ids.length > 0 || value.includes("<") ? ids : (value.match(bare) ?? []).map((id) => `<${id}>`)
  return found.filter((id) => id.length <= longest)
}
