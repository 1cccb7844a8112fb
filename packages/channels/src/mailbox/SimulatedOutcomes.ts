/** An outcome that the local mailbox simulates for a recipient. */
export type SimulatedOutcome = "bounce" | "defer" | "complain"

const simulatedOutcomes: ReadonlyMap<string, SimulatedOutcome> = new Map([
  ["bounce", "bounce"],
  ["defer", "defer"],
  ["complain", "complain"]
])

/** The simulated outcome of an address: the text after the last plus sign of its local part. */
export const simulatedOutcomeOf = (address: string): SimulatedOutcome | undefined =>
  simulatedOutcomes.get(/\+([^+@]*)@[^@]*$/.exec(address)?.[1]?.toLowerCase() ?? "")

const maxDeferrals = 10_000

/**
 * Makes a function that decides whether to defer a recipient. A mail with an envelope id (ENVID, RFC 3461) is deferred
 * once per recipient. Without one, every second mail with the same sender and recipient is deferred. Beyond
 * `maxDeferrals`, the oldest entries are deleted.
 */
export const makeDeferrals = () => {
  const deferrals = new Set<string>()
  return (mail: { readonly envelopeId: string | null; readonly mailFrom: string }, recipient: string): boolean => {
    const key = JSON.stringify([mail.envelopeId ?? mail.mailFrom, recipient.toLowerCase()])
    if (deferrals.has(key)) {
      if (mail.envelopeId === null) deferrals.delete(key)
      return false
    }
    for (const oldest of deferrals) {
      if (deferrals.size < maxDeferrals) break
      deferrals.delete(oldest)
    }
    deferrals.add(key)
    return true
  }
}
