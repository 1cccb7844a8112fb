import { createSocket } from "node:dgram"
import { once } from "node:events"
import { createServer } from "node:net"
import { Effect } from "effect"

/** A resource record. */
export type DnsRecord =
  | { readonly type: "A" | "AAAA"; readonly address: string }
  | { readonly type: "CNAME" | "NS" | "PTR"; readonly target: string }
  | { readonly type: "TXT"; readonly chunks: ReadonlyArray<string> }
  | { readonly type: "MX"; readonly priority: number; readonly exchange: string }
  | {
      readonly type: "TLSA"
      readonly usage: number
      readonly selector: number
      readonly matching: number
      readonly data: Buffer
    }

/** The answer for a name: its records, an error, or no answer (`silence`). */
export type DnsAnswer = ReadonlyArray<DnsRecord> | "NXDOMAIN" | "SERVFAIL" | "silence"
/** The answers by name. A function gets the number of earlier queries of the same name and type. */
export type DnsZone = Readonly<Record<string, DnsAnswer | ((earlier: number) => DnsAnswer)>>

const typeNumbers = { A: 1, NS: 2, CNAME: 5, PTR: 12, MX: 15, TXT: 16, AAAA: 28, TLSA: 52 } as const
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
    case "TLSA":
      return Buffer.concat([Buffer.from([record.usage, record.selector, record.matching]), record.data])
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

/** The AD flag (RFC 6840 section 5.7) and the TC flag (RFC 1035 section 4.1.1). */
const authenticData = 0x20
const truncated = 0x200

/** The answers over TCP, on the port of the UDP socket. */
const answerOverTcp = (port: number, answerTo: (query: Buffer) => Buffer | null) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((socket) => {
        socket.on("error", () => socket.destroy())
        socket.on("data", (query) => {
          const answer = answerTo(query.subarray(2)) ?? Buffer.alloc(0)
          socket.end(Buffer.concat([Buffer.from([answer.length >> 8, answer.length & 255]), answer]))
        })
      }).listen(port, "127.0.0.1")
      await once(server, "listening")
      return server
    }),
    (server) => Effect.async<void>((resume) => void server.close(() => resume(Effect.void)))
  )

interface DnsServerOptions {
  /** Whether the answers to a query are authenticated by DNSSEC, if it asks for that. Default: none is. */
  readonly isAuthenticated?: (name: string, isAlias: boolean) => boolean
  /** Larger answers are truncated over UDP and complete over TCP, in octets. Default: no limit, and no TCP. */
  readonly maxUdpLength?: number
}

/** A DNS server on a free local UDP port. The default TTL is 0. */
export const dnsServer = (zone: DnsZone, timeToLive = 0, options: DnsServerOptions = {}) =>
  Effect.gen(function* () {
    const { isAuthenticated = () => false, maxUdpLength = Number.POSITIVE_INFINITY } = options
    const queries: Array<string> = []
    const socket = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const bound = createSocket("udp4").bind(0, "127.0.0.1")
        await once(bound, "listening")
        return bound
      }),
      (bound) => Effect.async<void>((resume) => void bound.close(() => resume(Effect.void)))
    )

    const answerTo = (query: Buffer): Buffer | null => {
      const name = nameAt(query, 12)
      const question = query.subarray(12, 12 + name.length + 6)
      const type = question.readUInt16BE(question.length - 4)
      const earlier = queries.filter((one) => one === `${name} ${type}`).length
      queries.push(`${name} ${type}`)
      const entry = zone[name] ?? "NXDOMAIN"
      const answer = typeof entry === "function" ? entry(earlier) : entry
      if (answer === "silence") return null
      const records = typeof answer === "string" ? [] : answer
      const owners = ((first) => (first?.type === "CNAME" ? first.target : name))(
        records.find((one) => one.type === "CNAME")
      )
      const matching = records.filter((one) => one.type === "CNAME" || typeNumbers[one.type] === type)
      const header = Buffer.alloc(12)
      query.copy(header, 0, 0, 2)
      const authentic =
        query.readUInt16BE(2) & authenticData && isAuthenticated(name, type === typeNumbers.CNAME) ? authenticData : 0
      header.writeUInt16BE(0x8180 | authentic | (typeof answer === "string" ? codes[answer] : 0), 2)
      header.writeUInt16BE(1, 4)
      header.writeUInt16BE(matching.length, 6)
      const encoded = matching.map((one) => encodedRecord(one.type === "CNAME" ? name : owners, one, timeToLive))
      return Buffer.concat([header, question, ...encoded])
    }

    const truncate = (answer: Buffer): Buffer => {
      if (answer.length <= maxUdpLength) return answer
      const header = Buffer.from(answer.subarray(0, 12))
      header.writeUInt16BE(header.readUInt16BE(2) | truncated, 2)
      header.writeUInt16BE(0, 6)
      return Buffer.concat([header, answer.subarray(12, 12 + nameAt(answer, 12).length + 6)])
    }

    socket.on("message", (query, { address, port }) => {
      const answer = answerTo(query)
      if (answer !== null) socket.send(truncate(answer), port, address)
    })
    const { port } = socket.address()
    if (Number.isFinite(maxUdpLength)) yield* answerOverTcp(port, answerTo)

    /** The number of A queries for a name. */
    const queryCount = (name: string) => queries.filter((one) => one === `${name} 1`).length

    return { server: `127.0.0.1:${port}`, queryCount, queries }
  })
