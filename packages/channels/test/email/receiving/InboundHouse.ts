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
import { type ArrivedMail, InboundMails } from "@switchboard/services/email/receiving/InboundMails"
import type { Unsubscribe } from "@switchboard/services/email/send/UnsubscribeLink"
import { Unsubscribes } from "@switchboard/services/email/send/Unsubscribes"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { v7 } from "uuid"
import { rawClient } from "../../RawClient.js"

/** The store can't be reached. */
const away = new ServiceUnavailableError({ message: "The database can't be reached", retryAfterSeconds: 1 })

export const shop = OrganizationId.make(v7())
export const club = OrganizationId.make(v7())
const domainId = EmailDomainId.make(v7())

/** Who lives where: the shop takes all that comes to its second domain. */
const mailboxes = new Map([
  ["support@shop.test", shop],
  ["sales@shop.test", shop],
  ["ada@club.test", club],
  ["info@xn--bcher-kva.test", club]
])
const domains = new Map([...mailboxes].map(([address, owner]) => [address.slice(address.indexOf("@") + 1), owner]))

/** An unsubscribe address, and what it names. */
export const leave = "u+leave@bounce.shop.test"
export const subject: Unsubscribe = {
  organizationId: shop,
  messageId: MessageId.make(v7()),
  recipient: "ada@example.com"
}

const postmaster = Schema.decodeSync(EmailAddress)("postmaster@shop.test")

const decodeTaken = Schema.decodeUnknownSync(Schema.Struct({ socket: Schema.instanceOf(Socket) }))

const nothing: Effect.Effect<unknown> = Effect.void

/** The connections that servers of this process have taken, by the ports of their clients. */
const serverSockets = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const sockets = new Map<number | undefined, Socket>()
      const taken = (message: unknown) => {
        const { socket } = decodeTaken(message)
        sockets.set(socket.remotePort, socket)
      }
      subscribe("net.server.socket", taken)
      return { sockets, taken }
    }),
    ({ taken }) => Effect.sync(() => unsubscribe("net.server.socket", taken))
  ),
  ({ sockets }) => sockets
)

/** An inbound server over real SMTP, with a store in memory: the real one belongs to another package. */
export const inboundHouse = (options: Partial<typeof InboundSettings.Service> = {}) =>
  Effect.gen(function* () {
    const kept: Array<ReadonlyArray<ArrivedMail>> = []
    const sockets = yield* serverSockets
    const storage = { away: false, begun: 0, wait: nothing }
    const mails = Layer.succeed(InboundMails, {
      store: (batch) =>
        Effect.suspend(() => {
          storage.begun += 1
          return storage.away
            ? away
            : Effect.zipRight(
                storage.wait,
                Effect.sync(() => void kept.push(batch))
              )
        })
    })
    const unsubscribed: Array<Unsubscribe> = []
    const unsubscribes = Layer.succeed(
      Unsubscribes,
      new Unsubscribes({
        find: () => Effect.die("no link is followed"),
        look: () => Effect.die("no link is followed"),
        unsubscribe: (subject) =>
          Effect.suspend(() => {
            if (storage.away) return away
            unsubscribed.push(subject)
            return Effect.succeed({ recipient: subject.recipient, categories: [] })
          })
      })
    )
    const desk = Layer.succeed(
      InboundRecipients,
      new InboundRecipients({
        find: Effect.fnUntraced(function* (address) {
          // The real desk asks a database.
          yield* Effect.yieldNow()
          if (storage.away) return yield* away
          if (address === leave) return { organizationId: shop, address, kind: { _tag: "Unsubscribe", subject } }
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
        Layer.provide(Layer.mergeAll(mails, desk, unsubscribes)),
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

    /** A client that has said who it is. */
    const greeted = Effect.tap(rawClient(port), ({ say }) => say("EHLO client.test"))

    /** Speaks an envelope, up to where the mail is asked for. */
    const envelope = (
      client: Effect.Effect.Success<ReturnType<typeof rawClient>>,
      to: ReadonlyArray<string> = ["support@shop.test"],
      from = "ada@example.com"
    ) =>
      Effect.gen(function* () {
        yield* client.say(`MAIL FROM:<${from}>`)
        yield* Effect.forEach(to, (address) => client.say(`RCPT TO:<${address}>`))
        return yield* client.say("DATA")
      })

    /** Writes, and waits until the server has read that by itself: what comes next is in another packet. */
    const pourApart = (client: Effect.Effect.Success<ReturnType<typeof rawClient>>, octets: string) =>
      Effect.async<void>((resume) => {
        const socket = sockets.get(client.socket.localPort)
        if (socket === undefined) return resume(Effect.dieMessage("The server does not know the client"))
        socket.once("data", () => resume(Effect.void))
        client.write(octets)
      })

    /** Brings a mail, whose last line ends as it should; what it is answered. */
    const bring = (mail: string, to?: ReadonlyArray<string>, from?: string) =>
      Effect.scoped(
        Effect.gen(function* () {
          const client = yield* greeted
          yield* envelope(client, to, from)
          client.write(mail)
          return yield* client.say(".")
        })
      )

    return { port, kept, unsubscribed, storage, greeted, envelope, pourApart, bring }
  })

/** A short mail, with these headers before its subject. */
export const mailWith = (...headers: ReadonlyArray<string>) =>
  [...headers, "Subject: Hello", "", "How are you?", ""].join("\r\n")
