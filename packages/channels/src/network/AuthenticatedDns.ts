import { randomInt } from "node:crypto"
import { createSocket } from "node:dgram"
import { getServers } from "node:dns"
import { connect, isIPv6 } from "node:net"
import { isLoopbackAddress } from "@switchboard/services/network/AddressNetwork"
import { DnsFailed } from "@switchboard/services/network/DnsResolver"
import {
  type Answer,
  AUTHENTIC_DATA,
  type DecodedPacket,
  DNSSEC_OK,
  decode,
  encode,
  RECURSION_DESIRED
} from "dns-packet"
import { Duration, Effect } from "effect"
import type { NetworkSettings } from "./NetworkPolicy.js"

/** The record types of DANE and of what it depends on. */
export type QueryType = "A" | "CNAME" | "MX" | "TLSA"

/** The answer of a validating resolver: without records if there are none, or the name does not exist. */
export interface DnsAnswer {
  /** Whether the resolver has authenticated the answer by DNSSEC (the AD flag, RFC 4035 section 3.2.3). */
  readonly isAuthenticated: boolean
  readonly records: ReadonlyArray<Answer>
}

/** Queries validating resolvers. Answers are not cached. */
export interface AuthenticatedDns {
  /**
   * Whether there is a resolver to trust: one of `DNS_SERVERS`, or of this machine on loopback. The AD flag of another one
   * can be forged on the path to it.
   */
  readonly isAvailable: boolean
  /** CNAME records are followed by the resolver. Fails also if the answer is bogus (SERVFAIL). */
  readonly query: (type: QueryType, name: string) => Effect.Effect<DnsAnswer, DnsFailed>
}

interface Server {
  readonly address: string
  readonly port: number
}

/** The timeout of one attempt, and the attempts per server, as in DnsResolverNode. */
const attemptTimeout = Duration.seconds(2)
const attempts = 2

/** In octets; avoids fragmentation (RFC 9715). */
const maxUdpPayload = 1232

/** RFC 1035 section 2.3.4 */
const validName = /^(?=.{1,253}$)[^.]{1,63}(?:\.[^.]{1,63})*$/

/** Parses an address with an optional port: `192.0.2.53`, `192.0.2.53:53`, `2001:db8::53`, `[2001:db8::53]:53`. */
const serverOf = (text: string): Server => {
  const [, bracketed, plain, port = "53"] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(text) ?? []
  return { address: bracketed ?? plain ?? text, port: Number(port) }
}

const decoded = (octets: Buffer): DecodedPacket | null => {
  try {
    return decode(octets)
  } catch {
    return null
  }
}

type Matches = (packet: DecodedPacket) => boolean

/** Sends a query from a random port and waits for its response; other packets are ignored. */
const overUdp = ({ address, port }: Server, query: Buffer, matches: Matches) =>
  Effect.acquireUseRelease(
    Effect.sync(() => createSocket(isIPv6(address) ? "udp6" : "udp4")),
    (socket) =>
      Effect.async<DecodedPacket, string>((resume) => {
        socket.on("error", ({ message }) => resume(Effect.fail(message)))
        socket.on("message", (octets) => {
          const packet = decoded(octets)
          if (packet !== null && matches(packet)) resume(Effect.succeed(packet))
        })
        // A connected socket receives packets of this server only.
        socket.on("connect", () => socket.send(query))
        socket.connect(port, address)
      }),
    (socket) => Effect.sync(() => socket.close())
  )

/** Sends a query with its length before it (RFC 1035 section 4.2.2), for responses that UDP truncates. */
const overTcp = ({ address, port }: Server, query: Buffer, matches: Matches) =>
  Effect.acquireUseRelease(
    Effect.sync(() => connect({ host: address, port })),
    (socket) =>
      Effect.async<DecodedPacket, string>((resume) => {
        let received = Buffer.alloc(0)
        const fail = (message: string) => resume(Effect.fail(message))
        socket.on("error", ({ message }) => fail(message))
        socket.on("close", () => fail("the connection was closed"))
        socket.on("data", (octets: Buffer) => {
          received = Buffer.concat([received, octets])
          if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return
          const packet = decoded(received.subarray(2, 2 + received.readUInt16BE(0)))
          if (packet !== null && matches(packet)) resume(Effect.succeed(packet))
          else fail("the response is not one to the query")
        })
        const length = Buffer.alloc(2)
        length.writeUInt16BE(query.length)
        socket.write(Buffer.concat([length, query]))
      }),
    (socket) => Effect.sync(() => socket.destroy())
  )

/** Response codes (RFC 1035 section 4.1.1). */
const noError = 0
const noSuchName = 3

const querySent = Effect.fnUntraced(function* (server: Server, type: QueryType, name: string) {
  const id = randomInt(65_536)
  const query = encode({
    type: "query",
    id,
    flags: RECURSION_DESIRED | AUTHENTIC_DATA,
    questions: [{ type, name, class: "IN" }],
    additionals: [
      {
        type: "OPT",
        name: ".",
        udpPayloadSize: maxUdpPayload,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: DNSSEC_OK,
        flag_do: true,
        options: []
      }
    ]
  })
  const matches: Matches = ({ flag_qr, id: received, questions: [question, ...others] = [] }) =>
    flag_qr && received === id && others.length === 0 && question?.type === type && question.name.toLowerCase() === name
  const first = yield* overUdp(server, query, matches)
  const { answers = [], flag_ad, flags = 0 } = first.flag_tc ? yield* overTcp(server, query, matches) : first
  const code = flags & 0xf
  if (code !== noError && code !== noSuchName) return yield* Effect.fail(`response code ${code}`)
  const answer: DnsAnswer = { isAuthenticated: flag_ad, records: answers }
  return answer
})

/** A client of the validating resolvers of the settings, or else of those of this machine. */
export const authenticatedDns = ({
  dnsServers,
  dnsTimeout = "10 seconds"
}: Pick<typeof NetworkSettings.Service, "dnsServers" | "dnsTimeout">): AuthenticatedDns => {
  const servers =
    dnsServers.length > 0
      ? dnsServers.map(serverOf)
      : getServers()
          .map(serverOf)
          .filter(({ address }) => isLoopbackAddress(address))

  const failed = (type: QueryType, name: string, reason: string) =>
    new DnsFailed({ message: `No name server answered the query for ${type} ${name} (${reason})` })

  const query = (type: QueryType, text: string) => {
    const name = text.toLowerCase()
    if (!validName.test(name)) return failed(type, name, "not a host name")
    const attempt = (server: Server) =>
      Effect.timeoutFail(querySent(server, type, name), { duration: attemptTimeout, onTimeout: () => "no response" })
    const all = Array.from({ length: attempts }, () => servers.map(attempt)).flat()
    return Effect.firstSuccessOf(all).pipe(
      Effect.timeoutFail({ duration: dnsTimeout, onTimeout: () => "no response" }),
      Effect.mapError((reason) => failed(type, name, reason))
    )
  }

  return { isAvailable: servers.length > 0, query }
}
