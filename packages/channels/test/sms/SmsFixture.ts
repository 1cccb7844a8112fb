import { createServer, type Socket } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { HandsetAddress, HandsetServer, HandsetSettings } from "@switchboard/channels/handset/HandsetServer"
import { encodePdu, isResponse, type Pdu, PduReader, responseTo } from "@switchboard/channels/sms/Pdu"
import { SmppSettings } from "@switchboard/channels/sms/SmppClient"
import type { SessionLimits } from "@switchboard/channels/sms/SmppSession"
import { SmppTransport } from "@switchboard/channels/sms/SmppTransport"
import { segmentText } from "@switchboard/domain/sms/SmsText"
import { HandsetRepo, type ReceivedHandsetText } from "@switchboard/services/handset/HandsetRepo"
import type { ProviderEvent } from "@switchboard/services/providers/ProviderEvent"
import { ProviderEvents } from "@switchboard/services/providers/ProviderEvents"
import { type OutgoingSms, SmsTransport } from "@switchboard/services/sms/SmsTransport"
import { Context, Duration, Effect, Layer, Queue, Redacted } from "effect"
import type { relayCertificate } from "../Certificates.js"
import { messageId } from "../Fixtures.js"
import { unavailable } from "../mailbox/MailboxFixture.js"

/** A valid text, with changes. */
export const sms = (changes: Partial<OutgoingSms> = {}): OutgoingSms => ({
  messageId,
  from: "+4915100000000",
  to: "+4917000000000",
  text: "Hello",
  ...changes
})

/** Texts whose length is a limit of a segment, and one of the extension table. */
export const textsAtLimits = [
  "a".repeat(160),
  "a".repeat(161),
  `${"a".repeat(152)}€${"b".repeat(10)}`,
  "ж".repeat(70),
  "ж".repeat(71),
  `${"ж".repeat(66)}😀${"ж".repeat(10)}`,
  "@£$ {[~]} €"
] as const

/** The esm_class, data_coding, registered_delivery and short_message, in hexadecimal, of each segment of a message. */
export const expectedSegments = (text: string, messageId: string): ReadonlyArray<string> => {
  const { encoding, segments } = segmentText(text)
  const coding = encoding === "gsm7" ? 0 : 8
  const octet = (value: number) => value.toString(16).padStart(2, "0")
  return segments.map((octets, index) => {
    const data = Buffer.from(octets).toString("hex")
    return segments.length === 1
      ? `0 ${coding} 1 ${data}`
      : `64 ${coding} 1 050003${messageId.slice(-2)}${octet(segments.length)}${octet(index + 1)}${data}`
  })
}

interface TransportOptions {
  readonly url?: string
  readonly limits?: Partial<SessionLimits>
  readonly bindTimeout?: Duration.Duration
}

/**
 * An SmppTransport to a local port, with the events that it receives. `storage.isDown` refuses them: `storage.refused` has
 * those.
 */
export const smppTransportTo = (port: number, { url, ...options }: TransportOptions = {}) =>
  Effect.gen(function* () {
    const events = yield* Queue.unbounded<ProviderEvent>()
    const storage = { isDown: false, refused: yield* Queue.unbounded<ProviderEvent>() }
    const receive = (event: ProviderEvent) =>
      Effect.suspend(() => {
        if (!storage.isDown) return Effect.asVoid(Queue.offer(events, event))
        return Effect.zipRight(Queue.offer(storage.refused, event), unavailable)
      })
    const settings = { ...options, url: Redacted.make(url ?? `smpp://user:p%20w@127.0.0.1:${port}`) }
    const transport = yield* Layer.build(SmppTransport).pipe(
      Effect.map(Context.get(SmsTransport)),
      Effect.provideService(SmppSettings, settings),
      Effect.provideService(ProviderEvents, { receive })
    )
    return { ...transport, events, storage }
  })

/** The local handset over real SMPP, with its texts in memory. */
export const handsetFixture = (settings: { readonly port?: number; readonly limits?: Partial<SessionLimits> } = {}) =>
  Effect.gen(function* () {
    const stored: Array<ReceivedHandsetText> = []
    const storage = { isDown: false }
    const repo = Layer.succeed(HandsetRepo, {
      insert: (text) => (storage.isDown ? unavailable : Effect.sync(() => void stored.push(text))),
      list: () => Effect.dieMessage("list is not used"),
      find: () => Effect.dieMessage("find is not used")
    })
    const address = yield* Layer.build(HandsetServer).pipe(
      Effect.map(Context.get(HandsetAddress)),
      Effect.provide(repo),
      Effect.provideService(HandsetSettings, { host: "127.0.0.1", port: 0, ...settings })
    )
    return { ...address, stored, storage }
  })

/** A connection to a scripted server. */
export interface ScriptedConnection {
  readonly socket: Socket
  readonly write: (pdu: Partial<Pdu>) => void
  /** Responds to a request; a response gets none. */
  readonly respond: (request: Pdu, status?: number, body?: Uint8Array) => void
}

/** An SMPP server whose responses the test decides. */
export const scriptedServer = (
  received: (pdu: Pdu, connection: ScriptedConnection) => void,
  certificate?: typeof relayCertificate
) =>
  Effect.acquireRelease(
    Effect.async<{
      readonly port: number
      readonly connections: Array<ScriptedConnection>
      readonly close: () => void
    }>((resume) => {
      const connections: Array<ScriptedConnection> = []
      const connected = (socket: Socket) => {
        const reader = new PduReader()
        const write = (pdu: Partial<Pdu>) =>
          socket.write(encodePdu({ command: 0, status: 0, sequence: 1, body: Buffer.of(), ...pdu }))
        const connection: ScriptedConnection = {
          socket,
          write,
          respond: (request, status = 0, body = Buffer.of(0x78, 0)) => {
            if (isResponse(request)) return
            write({ command: responseTo(request.command), sequence: request.sequence, status, body })
          }
        }
        connections.push(connection)
        socket.on("error", () => undefined)
        socket.on("data", (chunk) => {
          reader.push(chunk)
          for (let pdu = reader.next(); pdu !== null && pdu !== "invalid"; pdu = reader.next()) {
            received(pdu, connection)
          }
        })
      }
      const server = certificate === undefined ? createServer(connected) : createTlsServer(certificate, connected)
      const close = () => {
        server.close()
        for (const { socket } of connections) socket.destroy()
      }
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(Effect.succeed({ port, connections, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

/** All waits are short. */
export const shortLimits = {
  window: 10,
  responseTimeout: Duration.millis(500),
  enquireLinkInterval: Duration.seconds(30)
}
