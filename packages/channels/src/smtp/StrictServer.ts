import { readFile } from "node:fs/promises"
import type { Socket } from "node:net"
import { createSecureContext, type TLSSocket } from "node:tls"
import { addressNetwork } from "@switchboard/services/network/AddressNetwork"
import { Data, Duration, Effect, type Exit, Option, Schedule } from "effect"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import type { SMTPConnectionOptions } from "smtp-server/lib/smtp-connection.js"
import { closeTimeout, maxMailSize, smtpRefusal } from "./SmtpListener.js"
import { StrictConnection } from "./StrictConnection.js"

/** The paths of a certificate and its private key, both in PEM, and the names of their settings. */
export interface CertificateFiles {
  readonly cert: string
  readonly key: string
  readonly settings: readonly [cert: string, key: string]
}

/** The certificate or its key can't be read, or they don't match; the message has the reason. */
export class InvalidCertificate extends Data.TaggedError("InvalidCertificate")<{ readonly message: string }> {}

const reason = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

/** Reads a certificate and its private key, and verifies that they match. */
const readCertificate = (files: CertificateFiles) =>
  Effect.tryPromise({
    try: async () => {
      const [cert, key] = await Promise.all([readFile(files.cert), readFile(files.key)])
      createSecureContext({ cert, key })
      return { cert, key }
    },
    catch: (cause) =>
      new InvalidCertificate({
        message: `${files.settings.join(" and ")} must be the paths of a certificate and its private key in PEM (${reason(cause)})`
      })
  })

/** In milliseconds, per session. */
interface SessionLimit {
  readonly sessionTimeout: number
}

/** An SMTP server with strict syntax checks and a maximum session duration. */
class StrictSmtpServer extends SMTPServer {
  readonly #makeConnection: ReturnType<typeof StrictConnection.withTimeout>

  constructor({ sessionTimeout, ...options }: SMTPServerOptions & SessionLimit) {
    super(options)
    this.#makeConnection = StrictConnection.withTimeout(sessionTimeout)
  }

  override connect(socket: Socket | TLSSocket, socketOptions?: SMTPConnectionOptions | null): void {
    const connection = this.#makeConnection(this, socket, socketOptions)
    this.connections.add(connection)
    connection.on("error", (error) => this._onError(error))
    connection.on("connect", (info) => this._onClientConnect(info))
    connection.init()
  }
}

/** Further connections get 421. */
const maxConnections = 500
const maxConnectionsPerAddress = 20

/** In octets. RFC 5321 section 4.5.3.1.4 requires 512, and extensions add to it. */
const maxCommandLength = 4_096

/** A renewed certificate is used without a restart. */
const certificateReloadInterval = "1 hour"

/** The time limits of a session. */
export interface SessionTimeouts {
  readonly idleTimeout?: Duration.Duration
  readonly sessionTimeout?: Duration.Duration
}

interface StrictOptions extends SMTPServerOptions {
  readonly timeouts: SessionTimeouts
  readonly certificate: Option.Option<CertificateFiles>
}

/** A server for clients on other hosts, with limits of connections. Its certificate is read again when it may be renewed. */
export const strictServer = Effect.fnUntraced(function* ({
  certificate,
  disabledCommands = [],
  timeouts: { idleTimeout = Duration.minutes(1), sessionTimeout = Duration.minutes(10) },
  ...options
}: StrictOptions) {
  const connectionsOf = (address: string): number => {
    const network = addressNetwork(address)
    let count = 0
    for (const { remoteAddress } of server.connections) if (addressNetwork(remoteAddress) === network) count += 1
    return count
  }
  const server: SMTPServer = new StrictSmtpServer({
    banner: "Switchboard",
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    // Every mailbox here has an ASCII local part; domains are compared as A-labels.
    hideSMTPUTF8: true,
    lenientAddressParsing: true,
    logger: false,
    maxClients: maxConnections,
    maxCommandLength,
    size: maxMailSize,
    closeTimeout,
    ...options,
    socketTimeout: Duration.toMillis(idleTimeout),
    sessionTimeout: Duration.toMillis(sessionTimeout),
    disabledCommands: [
      ...["WIZ", "SHELL", "KILL", ...disabledCommands],
      ...(Option.isNone(certificate) ? ["STARTTLS"] : [])
    ],
    ...(Option.isSome(certificate) ? yield* readCertificate(certificate.value) : {}),
    onConnect: ({ remoteAddress }, callback) =>
      callback(
        connectionsOf(remoteAddress) > maxConnectionsPerAddress
          ? smtpRefusal(421, "4.7.0 Too many connections from your address")
          : null
      )
  })
  if (Option.isSome(certificate)) {
    yield* readCertificate(certificate.value).pipe(
      Effect.map((read) => server.updateSecureContext(read)),
      Effect.catchAll(({ message }) => Effect.logWarning(message)),
      Effect.schedule(Schedule.spaced(certificateReloadInterval)),
      Effect.forkScoped
    )
  }
  return server
})

/** The reply to a command, from the result of its handler. */
export const respondWith =
  <A>(
    callback: (error: Error | null, reply?: string) => void,
    toReply: (error: unknown) => Error,
    accepted: (value: A) => string | undefined = () => undefined
  ) =>
  (exit: Exit.Exit<A, unknown>): void =>
    exit._tag === "Success"
      ? callback(null, accepted(exit.value))
      : callback(toReply(exit.cause._tag === "Fail" ? exit.cause.error : exit.cause))
