import { createSocket } from "node:dgram"
import { once } from "node:events"
import { Effect } from "effect"

/** A resource record. */
export type DnsRecord =
  | { readonly type: "A" | "AAAA"; readonly address: string }
  | { readonly type: "CNAME" | "NS" | "PTR"; readonly target: string }
  | { readonly type: "TXT"; readonly chunks: ReadonlyArray<string> }
  | { readonly type: "MX"; readonly priority: number; readonly exchange: string }

/** The answer for a name: its records, an error, or no answer (`silence`). */
export type DnsAnswer = ReadonlyArray<DnsRecord> | "NXDOMAIN" | "SERVFAIL" | "silence"
/** The answers by name. A function gets the number of earlier queries of the same name and type. */
export type DnsZone = Readonly<Record<string, DnsAnswer | ((earlier: number) => DnsAnswer)>>

const typeNumbers = { A: 1, NS: 2, CNAME: 5, PTR: 12, MX: 15, TXT: 16, AAAA: 28 } as const
const codes = { NXDOMAIN: 3, SERVFAIL: 2 } as const

const encodedName = (name: string) =>
  Buffer.concat([
    ...name.split(".").map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0])
  ])

const encodedAddress = (address: string): Buffer => {
  if (!address.includes(":")) return Buffer.from(address.split(".").map(Number))
  const [head = "", tail = ""] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::")
  const groups = (part: string) => (part === "" ? [] : part.split(":"))
  const zeros = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => "0")
  const all = [...groups(head), ...zeros, ...groups(tail)]
  return Buffer.concat(all.map((group) => Buffer.from(group.padStart(4, "0"), "hex")))
}

const encodedData = (record: DnsRecord): Buffer => {
  switch (record.type) {
    case "A":
    case "AAAA":
      return encodedAddress(record.address)
    case "CNAME":
    case "NS":
    case "PTR":
      return encodedName(record.target)
    case "TXT":
      return Buffer.concat(record.chunks.flatMap((chunk) => [Buffer.from([chunk.length]), Buffer.from(chunk)]))
    case "MX":
      return Buffer.concat([Buffer.from([record.priority >> 8, record.priority & 255]), encodedName(record.exchange)])
  }
}

const encodedRecord = (owner: string, record: DnsRecord, timeToLive: number) => {
  const data = encodedData(record)
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(typeNumbers[record.type], 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt32BE(timeToLive, 4)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([encodedName(owner), fixed, data])
}

const nameAt = (query: Buffer, offset: number): string => {
  const labels: Array<string> = []
  for (let at = offset; query[at] !== 0; at += (query[at] ?? 0) + 1) {
    labels.push(query.toString("latin1", at + 1, at + 1 + (query[at] ?? 0)))
  }
  return labels.join(".").toLowerCase()
}

/** A DNS server on a free local UDP port. The default TTL is 0. */
export const dnsServer = (zone: DnsZone, timeToLive = 0) =>
  Effect.gen(function* () {
    const queries: Array<string> = []
    const socket = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const bound = createSocket("udp4").bind(0, "127.0.0.1")
        await once(bound, "listening")
        return bound
      }),
      (bound) => Effect.async<void>((resume) => void bound.close(() => resume(Effect.void)))
    )

    socket.on("message", (query, { address, port }) => {
      const name = nameAt(query, 12)
      const question = query.subarray(12, 12 + name.length + 6)
      const type = question.readUInt16BE(question.length - 4)
      const earlier = queries.filter((one) => one === `${name} ${type}`).length
      queries.push(`${name} ${type}`)
      const entry = zone[name] ?? "NXDOMAIN"
      const answer = typeof entry === "function" ? entry(earlier) : entry
      if (answer === "silence") return
      const records = typeof answer === "string" ? [] : answer
      const owners = ((first) => (first?.type === "CNAME" ? first.target : name))(
        records.find((one) => one.type === "CNAME")
      )
      const matching = records.filter((one) => one.type === "CNAME" || typeNumbers[one.type] === type)
      const header = Buffer.alloc(12)
      query.copy(header, 0, 0, 2)
      header.writeUInt16BE(0x8180 | (typeof answer === "string" ? codes[answer] : 0), 2)
      header.writeUInt16BE(1, 4)
      header.writeUInt16BE(matching.length, 6)
      const encoded = matching.map((one) => encodedRecord(one.type === "CNAME" ? name : owners, one, timeToLive))
      socket.send(Buffer.concat([header, question, ...encoded]), port, address)
    })

    /** The number of A queries for a name. */
    const queryCount = (name: string) => queries.filter((one) => one === `${name} 1`).length

    return { server: `127.0.0.1:${socket.address().port}`, queryCount }
  })
