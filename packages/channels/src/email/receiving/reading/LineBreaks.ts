const cr = 0x0d
const lf = 0x0a

/**
 * Whether the line breaks of octets are all CRLF (RFC 5321 section 2.3.8). What one system takes for the end of a line
 * and another doesn't is how a second mail is smuggled in the first.
 */
export class LineBreaks {
  #afterCr = false
  #bare = false

  /** Looks at the next octets. */
  see(octets: Uint8Array): void {
    if (this.#bare || octets.length === 0) return
    this.#bare = this.#startsBare(octets) || this.#holdsBareCr(octets) || this.#holdsBareLf(octets)
    this.#afterCr = octets[octets.length - 1] === cr
  }

  /** Whether any break so far was a CR or LF alone; a CR at the end may still be followed by its LF. */
  get hasBare(): boolean {
    return this.#bare
  }

  /** Whether any break was, and there is nothing to follow. */
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
