import { createServer, type Socket } from "node:net"
import { Context, Data, Effect, FiberSet, Layer } from "effect"
import { udhIndicator } from "../sms/ConcatenatedText.js"
import {
  Command,
  decodeBind,
  decodeShortMessage,
  encodeId,
  encodeShortMessage,
  type Pdu,
  type ShortMessage
} from "../sms/Pdu.js"
import { defaultLimits, type SessionLimits, SmppSession } from "../sms/SmppSession.js"
import { Status } from "../sms/SmppStatus.js"
import { makeHandsetInbox } from "./HandsetInbox.js"
import { makeHandsetReceipts } from "./HandsetReceipts.js"
import { makeHandsetSessions, type Peer } from "./HandsetSessions.js"

/** The listen address of the local handset. Port 0 selects a free port. */
export class HandsetSettings extends Context.Tag("channels/HandsetSettings")<
  HandsetSettings,
  { readonly host: string; readonly port: number; readonly limits?: Partial<SessionLimits> }
>() {}

/** The address that the local handset listens on. */
export class HandsetAddress extends Context.Tag("channels/HandsetAddress")<
  HandsetAddress,
  { readonly host: string; readonly port: number }
>() {}

/** The local handset can't listen; the message has the address and the reason. */
export class HandsetServerError extends Data.TaggedError("HandsetServerError")<{ readonly message: string }> {}

/** A session with this system_id is a phone: its texts go to the service. */
export const phoneSystemId = "handset"

const serverSystemId = "switchboard"

const maxConnections = 200

/** In milliseconds: a connection without a bind is closed. */
const bindTimeoutMs = 30_000

const binds: ReadonlySet<number> = new Set([Command.bindReceiver, Command.bindTransmitter, Command.bindTransceiver])

/** Listens until the scope closes. Then open connections are destroyed. */
const listen = ({ host, port }: typeof HandsetSettings.Service, connected: (socket: Socket) => void) =>
  Effect.acquireRelease(
    Effect.async<{ readonly port: number; readonly close: Effect.Effect<void> }, HandsetServerError>((resume) => {
      const sockets = new Set<Socket>()
      const server = createServer({ noDelay: true }, (socket) => {
        sockets.add(socket)
        socket.once("close", () => sockets.delete(socket))
        connected(socket)
      })
      server.maxConnections = maxConnections
      server.once("error", ({ message }) =>
        resume(
          new HandsetServerError({
            message: `The local handset can't listen on ${host}:${port} (${message}): set HANDSET_SMPP_PORT to a free port`
          })
        )
      )
      const close = Effect.async<void>((done) => {
        server.close(() => done(Effect.void))
        for (const socket of sockets) socket.destroy()
      })
      server.listen(port, host, () => {
        const address = server.address()
        const listeningPort = typeof address === "object" && address !== null ? address.port : port
        resume(Effect.succeed({ port: listeningPort, close }))
      })
    }),
    ({ close }) => close
  )

/**
 * The local handset: an SMPP server that stores every text, for an installation without an SMS provider. It sends
 * receipts: a number ending in 0001 is undeliverable, 0002 expires, and 0003 is throttled once. Every system_id and
 * password may bind; `handset` is a phone, whose texts go to a bound service.
 */
export const HandsetServer = Layer.scoped(
  HandsetAddress,
  Effect.gen(function* () {
    const settings = yield* HandsetSettings
    const inbox = yield* makeHandsetInbox
    const sessions = yield* makeHandsetSessions
    const receipts = yield* makeHandsetReceipts(sessions)
    const run = yield* FiberSet.makeRuntime<never>()

    /** A text of a service to a phone. */
    const receive = Effect.fnUntraced(function* (peer: Peer, request: Pdu, message: ShortMessage) {
      if (receipts.isFull()) return peer.session.respond(request, Status.queueFull)
      const { id, status } = yield* inbox.receive(message)
      if (status !== Status.ok) return peer.session.respond(request, status)
      peer.session.respond(request, Status.ok, encodeId(id))
      yield* receipts.send(message, id, peer)
    })

    /** A text of a phone to a service. The phone gets the response of the service. */
    const forward = Effect.fnUntraced(function* (peer: Peer, request: Pdu, message: ShortMessage) {
      const receiver = sessions.receiver()
      const esmClass = message.esmClass & udhIndicator
      const body = encodeShortMessage({ ...message, esmClass, registeredDelivery: 0 })
      const status = receiver === undefined ? Status.temporaryError : yield* sessions.deliver(receiver, body)
      peer.session.respond(request, status, status === Status.ok ? encodeId("") : undefined)
    })

    const bind = (peer: Peer, request: Pdu) => {
      const identity = decodeBind(request.body)
      if (peer.role !== "unbound") return peer.session.respond(request, Status.alreadyBound)
      if (identity === null) return peer.session.respond(request, Status.invalidCommandLength)
      const role = identity.systemId === phoneSystemId ? "phone" : "service"
      peer.session.respond(request, Status.ok, encodeId(serverSystemId))
      sessions.bind(peer, role, request.command !== Command.bindTransmitter)
    }

    const requested = (peer: Peer, request: Pdu) => {
      if (binds.has(request.command)) return bind(peer, request)
      if (request.command !== Command.submitSm) return peer.session.refuse(request)
      if (peer.role === "unbound") return peer.session.respond(request, Status.invalidBindStatus)
      const message = decodeShortMessage(request.body)
      if (message === null) return peer.session.respond(request, Status.invalidCommandLength)
      run(peer.role === "phone" ? forward(peer, request, message) : receive(peer, request, message))
    }

    const connected = (socket: Socket) => {
      const session: SmppSession = new SmppSession(
        socket,
        { ...defaultLimits, ...settings.limits },
        {
          requested: (request) => requested(peer, request),
          closed: (reason) => {
            clearTimeout(bindTimer)
            sessions.remove(peer)
            run(Effect.logDebug("An SMPP session of the local handset ended", reason))
          }
        }
      )
      const peer: Peer = { session, role: "unbound", canReceive: false }
      const bindTimer = setTimeout(() => {
        if (peer.role === "unbound") session.fail("No bind in time")
      }, bindTimeoutMs)
    }

    const { port } = yield* listen(settings, connected)
    return { host: settings.host, port }
  })
)
