import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { Socket } from "node:net"
import { InboundAddress, InboundServer, InboundSettings } from "@switchboard/channels/email/receiving/InboundServer"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { addressDomain, addressKey, EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import {
  InboundRecipients,
  RelayDenied,
  UnknownRecipient
} from "@switchboard/services/email/receiving/addresses/InboundRecipients"
import { type ArrivedMail, InboundMails } from "@switchboard/services/email/receiving/InboundMail"
import { type Unsubscribe, Unsubscribes } from "@switchboard/services/email/send/Unsubscribes"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { v7 } from "uuid"
import { rawClient } from "../../RawClient.js"

/** The error of an unreachable database. */
const unavailable = new ServiceUnavailableError({ message: "The database can't be reached", retryAfterSeconds: 1 })

export const shop = OrganizationId.make(v7())
export const club = OrganizationId.make(v7())
const domainId = EmailDomainId.make(v7())

/** The receiving organizations by address. The shop also has a catch-all for all.test. */
const mailboxes = new Map([
  ["support@shop.test", shop],
  ["sales@shop.test", shop],
  ["ada@club.test", club],
  ["info@xn--bcher-kva.test", club]
])
const domains = new Map([...mailboxes].map(([address, owner]) => [address.slice(address.indexOf("@") + 1), owner]))

/** An unsubscribe address, and the unsubscribe that it encodes. */
export const unsubscribeAddress = "u+leave@bounce.shop.test"
export const subject: Unsubscribe = {
  organizationId: shop,
  messageId: MessageId.make(v7()),
  recipient: "ada@example.com"
}

const postmaster = Schema.decodeSync(EmailAddress)("postmaster@shop.test")

const decodeMessage = Schema.decodeUnknownSync(Schema.Struct({ socket: Schema.instanceOf(Socket) }))

const noWait: Effect.Effect<unknown> = Effect.void

/** The connections that the servers of this process have accepted, by client port. */
const serverSockets = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const sockets = new Map<number | undefined, Socket>()
      const onAccept = (message: unknown) => {
        const { socket } = decodeMessage(message)
        sockets.set(socket.remotePort, socket)
      }
      subscribe("net.server.socket", onAccept)
      return { sockets, onAccept }
    }),
    ({ onAccept }) => Effect.sync(() => unsubscribe("net.server.socket", onAccept))
  ),
  ({ sockets }) => sockets
)

/** The inbound server over real SMTP, with use cases in memory. */
export const inboundFixture = (options: Partial<typeof InboundSettings.Service> = {}) =>
  Effect.gen(function* () {
    const stored: Array<ReadonlyArray<ArrivedMail>> = []
    const sockets = yield* serverSockets
    const storage = { isDown: false, begun: 0, wait: noWait }
    const mails = Layer.succeed(InboundMails, {
      store: (batch) =>
        Effect.suspend(() => {
          storage.begun += 1
          return storage.isDown
            ? unavailable
            : Effect.zipRight(
                storage.wait,
                Effect.sync(() => void stored.push(batch))
              )
        })
    })
    const unsubscribed: Array<Unsubscribe> = []
    const unsubscribes = Layer.succeed(
      Unsubscribes,
      new Unsubscribes({
        find: () => Effect.die("not used"),
        look: () => Effect.die("not used"),
        unsubscribe: (subject) =>
          Effect.suspend(() => {
            if (storage.isDown) return unavailable
            unsubscribed.push(subject)
            return Effect.succeed({ recipient: subject.recipient, categories: [] })
          })
      })
    )
    const recipients = Layer.succeed(
      InboundRecipients,
      new InboundRecipients({
        find: Effect.fnUntraced(function* (address) {
          // The real implementation is asynchronous.
          yield* Effect.yieldNow()
          if (storage.isDown) return yield* unavailable
          if (address === unsubscribeAddress)
            return { organizationId: shop, address, kind: { _tag: "Unsubscribe", subject } }
          const owner = mailboxes.get(addressKey(address))
          const domain = addressDomain(address)
          if (owner !== undefined) return { organizationId: owner, address, kind: { _tag: "Address", domainId } }
          if (domain === "all.test") return { organizationId: shop, address, kind: { _tag: "CatchAll", domainId } }
          return yield* domains.has(domain) ? new UnknownRecipient() : new RelayDenied()
        }),
        findPostmaster: Effect.succeed({
          organizationId: shop,
          address: postmaster,
          kind: { _tag: "Address", domainId }
        })
      })
    )
    const context = yield* Layer.build(
      InboundServer.pipe(
        Layer.provide(Layer.mergeAll(mails, recipients, unsubscribes)),
        Layer.provide(
          Layer.succeed(InboundSettings, {
            host: "127.0.0.1",
            port: 0,
            hostname: "mx.switchboard.test",
            certificate: Option.none(),
            ...options
          })
        )
      )
    )
    const { port } = Context.get(context, InboundAddress)

    /** A client that has sent EHLO. */
    const connect = Effect.tap(rawClient(port), ({ sendLine }) => sendLine("EHLO client.test"))

    /** Sends MAIL, RCPT and DATA; returns the reply to DATA. */
    const beginData = (
      client: Effect.Effect.Success<ReturnType<typeof rawClient>>,
      to: ReadonlyArray<string> = ["support@shop.test"],
      from = "ada@example.com"
    ) =>
      Effect.gen(function* () {
        yield* client.sendLine(`MAIL FROM:<${from}>`)
        yield* Effect.forEach(to, (address) => client.sendLine(`RCPT TO:<${address}>`))
        return yield* client.sendLine("DATA")
      })

    /** Writes octets, and waits until the server has read them, so that later octets are in another packet. */
    const writeInOwnPacket = (client: Effect.Effect.Success<ReturnType<typeof rawClient>>, octets: string) =>
      Effect.async<void>((resume) => {
        const socket = sockets.get(client.socket.localPort)
        if (socket === undefined) return resume(Effect.dieMessage("The server has no socket for the client"))
        socket.once("data", () => resume(Effect.void))
        client.write(octets)
      })

    /** Delivers a mail, which must end with CRLF; returns the reply to the final dot. */
    const deliver = (mail: string, to?: ReadonlyArray<string>, from?: string) =>
      Effect.scoped(
        Effect.gen(function* () {
          const client = yield* connect
          yield* beginData(client, to, from)
          client.write(mail)
          return yield* client.sendLine(".")
        })
      )

    return { port, stored, unsubscribed, storage, connect, beginData, writeInOwnPacket, deliver }
  })

/** A short mail with these header fields before its Subject. */
export const mailWith = (...headers: ReadonlyArray<string>) =>
  [...headers, "Subject: Hello", "", "How are you?", ""].join("\r\n")
