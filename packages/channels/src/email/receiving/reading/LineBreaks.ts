const cr = 0x0d
const lf = 0x0a

/**
 * Detects a bare CR or LF in a stream of octets (RFC 5321 section 2.3.8). Servers that disagree on line ends allow SMTP
 * smuggling (CVE-2023-51764).
 */
export class LineBreaks {
  #afterCr = false
  #bare = false

  /** Examines the next octets. */
  push(octets: Uint8Array): void {
    if (this.#bare || octets.length === 0) return
    this.#bare = this.#startsBare(octets) || this.#holdsBareCr(octets) || this.#holdsBareLf(octets)
    this.#afterCr = octets[octets.length - 1] === cr
  }

  /** Whether a bare CR or LF was found so far. A CR at the end is not yet bare: its LF may follow. */
  get hasBare(): boolean {
    return this.#bare
  }

  /** Whether the complete stream has a bare CR or LF. */
  get endsBare(): boolean {
    return this.#bare || this.#afterCr
  }

  #startsBare(octets: Uint8Array): boolean {
    return this.#afterCr !== (octets[0] === lf)
  }

  #holdsBareCr(octets: Uint8Array): boolean {
    for (let at = octets.indexOf(cr); at >= 0; at = octets.indexOf(cr, at + 1)) {
      if (at + 1 < octets.length && octets[at + 1] !== lf) return true
    }
    return false
  }

  #holdsBareLf(octets: Uint8Array): boolean {
    for (let at = octets.indexOf(lf, 1); at >= 0; at = octets.indexOf(lf, at + 1)) {
      if (octets[at - 1] !== cr) return true
    }
    return false
  }
}
