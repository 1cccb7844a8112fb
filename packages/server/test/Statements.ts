/** Parses the messages of a PostgreSQL client on one connection, and returns their statements. */
export class Statements {
  private buffered = Buffer.alloc(0)
  private isStarted = false
  private readonly prepared = new Map<string, string>()

  /** The statements whose execution begins in these octets: text with collapsed white space, at most 60 characters. */
  read(chunk: Buffer): ReadonlyArray<string> {
    this.buffered = Buffer.concat([this.buffered, chunk])
    const found: Array<string> = []
    for (;;) {
      // The first message of a connection has no type octet.
      const typeOctets = this.isStarted ? 1 : 0
      if (this.buffered.length < typeOctets + 4) return found
      const end = typeOctets + this.buffered.readInt32BE(typeOctets)
      if (this.buffered.length < end) return found
      const statement = this.isStarted ? this.statementOf(this.buffered.subarray(0, end)) : undefined
      if (statement !== undefined) found.push(statement)
      this.isStarted = true
      this.buffered = this.buffered.subarray(end)
    }
  }

  private statementOf(message: Buffer): string | undefined {
    const type = String.fromCharCode(message[0] ?? 0)
    if (type !== "Q" && type !== "P" && type !== "B") return undefined
    const [first = "", second = ""] = message.toString("utf8", 5).split("\0", 2)
    if (type === "P") this.prepared.set(first, kindOf(second))
    if (type === "P") return undefined
    return type === "Q" ? kindOf(first) : this.prepared.get(second)
  }
}

const kindOf = (text: string) => text.replace(/\s+/g, " ").trim().slice(0, 60)
