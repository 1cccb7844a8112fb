import type { Socket } from "node:net"
import type { TLSSocket } from "node:tls"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import type { SMTPConnectionOptions } from "smtp-server/lib/smtp-connection.js"
import { StrictConnection } from "./StrictConnection.js"

/** An SMTP server with strict syntax checks and a maximum session duration. */
export class StrictSmtpServer extends SMTPServer {
  readonly #makeConnection: ReturnType<typeof StrictConnection.withTimeout>

  constructor(options: SMTPServerOptions & { readonly sessionTimeout: number }) {
    super(options)
    this.#makeConnection = StrictConnection.withTimeout(options.sessionTimeout)
  }

  override connect(socket: Socket | TLSSocket, socketOptions?: SMTPConnectionOptions | null): void {
    const connection = this.#makeConnection(this, socket, socketOptions)
    this.connections.add(connection)
    connection.on("error", (error) => this._onError(error))
    connection.on("connect", (info) => this._onClientConnect(info))
    connection.init()
  }
}
