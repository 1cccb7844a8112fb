import { connect, isIP, type Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import { ProviderUnavailable } from "@switchboard/services/messages/delivery/Provider"
import { Context, Deferred, Duration, Effect, Redacted, type Scope } from "effect"
import { urlCredentials } from "../UrlCredentials.js"
import { Command, encodeBind, type Pdu } from "./Pdu.js"
import { defaultLimits, type RequestResult, type SessionLimits, SmppSession } from "./SmppSession.js"
import { Status, statusText } from "./SmppStatus.js"

/** The SMPP server, and the limits of the session with it. */
export class SmppSettings extends Context.Tag("channels/SmppSettings")<
  SmppSettings,
  {
    /** `smpp://SYSTEM_ID:PASSWORD@HOST:PORT`, or `smpps://` for TLS. */
    readonly url: Redacted.Redacted<string>
    /** Default: 10 outstanding requests, and 30 seconds for a response and between enquire_link. */
    readonly limits?: Partial<SessionLimits>
    /** The wait for the connection and the bind together. Default: 15 seconds. */
    readonly bindTimeout?: Duration.Duration
  }
>() {}

const defaultPorts: Readonly<Record<string, number>> = { "smpp:": 2775, "smpps:": 3550 }

/** An SMPP server and the credentials for it. */
export interface SmppServer {
  readonly host: string
  readonly port: number
  readonly isTls: boolean
  readonly systemId: string
  readonly password: Redacted.Redacted<string>
}

/** The server of a URL `smpp://` or `smpps://`. */
export const smppServer = (url: Redacted.Redacted<string>): SmppServer => {
  const parsed = new URL(Redacted.value(url))
  const { pass, user } = urlCredentials(parsed)
  return {
    host: parsed.hostname.replace(/^\[|\]$/g, ""),
    port: parsed.port === "" ? (defaultPorts[parsed.protocol] ?? 2775) : Number(parsed.port),
    isTls: parsed.protocol === "smpps:",
    systemId: user,
    password: Redacted.make(pass)
  }
}

export const serverName = ({ host, port }: SmppServer): string => `${host.includes(":") ? `[${host}]` : host}:${port}`

/** A bound session. */
export interface BoundSession {
  readonly session: SmppSession
  /** Completes when the session ends, with the reason. */
  readonly closed: Effect.Effect<string>
}

const defaultBindTimeout = Duration.seconds(15)

const openSocket = ({ host, isTls, port }: SmppServer): Socket =>
  isTls
    ? connectTls({ host, port, minVersion: "TLSv1.2", ...(isIP(host) === 0 ? { servername: host } : {}) })
    : connect({ host, port, noDelay: true })

const unavailable = (response: string) => new ProviderUnavailable({ response })

/** A session over a connection that is being opened. When the scope closes, it is unbound. */
const openSession = (
  socket: Socket,
  limits: SessionLimits,
  requested: (session: SmppSession, request: Pdu) => void
): Effect.Effect<BoundSession, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.map(Deferred.make<string>(), (ended) => {
      const session = new SmppSession(socket, limits, {
        requested: (request) => requested(session, request),
        closed: (reason) => Deferred.unsafeDone(ended, Effect.succeed(reason))
      })
      return { session, closed: Deferred.await(ended) }
    }),
    ({ closed, session }) =>
      Effect.zipRight(
        Effect.sync(() => session.unbind()),
        closed
      )
  )

/**
 * Connects and binds, by default as a transceiver. Requests of the server go to `requested`. When the scope closes, the
 * session is unbound.
 */
export const bindSession = (
  server: SmppServer,
  options: Pick<typeof SmppSettings.Service, "bindTimeout" | "limits"> & { readonly command?: number },
  requested: (session: SmppSession, request: Pdu) => void
): Effect.Effect<BoundSession, ProviderUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const { command = Command.bindTransceiver } = options
    const socket = openSocket(server)
    const bound = yield* openSession(socket, { ...defaultLimits, ...options.limits }, requested)
    const bind = encodeBind({ systemId: server.systemId, password: Redacted.value(server.password) })
    const result = Effect.async<RequestResult>((resume) => {
      socket.once(server.isTls ? "secureConnect" : "connect", () => {
        bound.session.request(command, bind, (result) => resume(Effect.succeed(result)))
      })
    })
    const timeout = options.bindTimeout ?? defaultBindTimeout
    const ended = yield* result.pipe(
      Effect.raceFirst(Effect.flatMap(bound.closed, (reason) => unavailable(reason))),
      Effect.timeoutFail({
        duration: timeout,
        onTimeout: () => unavailable(`No connection and bind within ${Duration.format(timeout)}`)
      })
    )
    if (ended._tag === "Lost") return yield* unavailable(ended.reason)
    if (ended._tag !== "Responded") return yield* unavailable("The server did not respond to the bind in time")
    if (ended.status !== Status.ok) return yield* unavailable(`The bind was refused: ${statusText(ended.status)}`)
    bound.session.isBound = true
    return bound
  })

/**
 * Connects and binds as a transmitter, to which the server sends no receipts and texts: those are for the running service
 * (for `doctor`).
 */
export const probeSmpp = (url: Redacted.Redacted<string>): Effect.Effect<void, ProviderUnavailable> =>
  Effect.scoped(
    bindSession(smppServer(url), { command: Command.bindTransmitter }, (session, request) => session.refuse(request))
  )
