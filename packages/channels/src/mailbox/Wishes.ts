/** How an address asks the mailbox to behave. */
export type Wish = "bounce" | "defer" | "complain"

const wishes: ReadonlyMap<string, Wish> = new Map([
  ["bounce", "bounce"],
  ["defer", "defer"],
  ["complain", "complain"]
])

/** The wish in an address: what its local part says after the last plus sign. */
export const wishOf = (address: string): Wish | undefined =>
  wishes.get(/\+([^+@]*)@[^@]*$/.exec(address)?.[1]?.toLowerCase() ?? "")

/** How many are remembered: who comes back after so many others is a stranger again. */
const memory = 10_000

/**
 * Remembers whom the mailbox has sent away. A mail that its envelope id names (RFC 3461) is sent away once for each
 * recipient, however often it comes; of mails without one, every second with the same sender and recipient.
 */
export const makeDeferrals = () => {
  const sentAway = new Set<string>()
  return (mail: { readonly envelopeId: string | null; readonly mailFrom: string }, recipient: string): boolean => {
    const key = JSON.stringify([mail.envelopeId ?? mail.mailFrom, recipient.toLowerCase()])
    if (sentAway.has(key)) {
      if (mail.envelopeId === null) sentAway.delete(key)
      return false
    }
    for (const oldest of sentAway) {
      if (sentAway.size < memory) break
      sentAway.delete(oldest)
    }
    sentAway.add(key)
    return true
  }
}
