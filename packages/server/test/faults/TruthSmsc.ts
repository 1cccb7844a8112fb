import {
  Command,
  decodeShortMessage,
  encodeId,
  encodeShortMessage,
  type Pdu,
  responseTo,
  type ShortMessage
} from "@switchboard/channels/sms/Pdu"
import { Status } from "@switchboard/channels/sms/SmppStatus"
import { type ScriptedConnection, scriptedServer } from "@switchboard/channels/testing/sms/SmsFixture"
import type { Dice } from "./Dice.js"
import type { DecideFault } from "./KilledLives.js"
import type { Truth } from "./Truth.js"

/** "submit" is before the segment is taken, "taken" before the response, "acknowledged" after that of a receipt. */
export type SmscMoment = "bind" | "submit" | "taken" | "answered" | "acknowledged"

/** The end of the connection, or a response with this command_status. */
export type SmscFault = "drop" | number

/** The shares of receipts that come twice, at the next bind, and before the response to submit_sm. */
const shares = { doubled: 0.2, late: 0.2, early: 0.2 }

const partOf = ({ dataCoding, esmClass, registeredDelivery, shortMessage }: ShortMessage) =>
  `${esmClass} ${dataCoding} ${registeredDelivery} ${Buffer.from(shortMessage).toString("hex")}`

const receiptOf = (id: string, { destination, source }: ShortMessage) =>
  encodeShortMessage({
    source: destination,
    destination: source,
    esmClass: 4,
    registeredDelivery: 0,
    dataCoding: 0,
    shortMessage: Buffer.from(`id:${id} sub:001 dlvrd:001 stat:DELIVRD err:000 text:`),
    tlvs: new Map()
  })

/** An SMSC that records segments. Receipts without a positive acknowledgement are sent again at each bind. */
export const truthSmsc = (truth: Truth, dice: Dice) => {
  /** The receipts that are not acknowledged, by the id of their segment. */
  const waiting = new Map<string, Buffer>()
  /** The ids of the sent receipts by sequence number. */
  const sent = new Map<number, string>()
  const figures = { doubled: 0, late: 0, early: 0, repeated: 0 }
  let taken = 0

  const has = (kind: keyof typeof shares, id: string, isPossible = true) => {
    const so = isPossible && dice(kind, id) < shares[kind]
    if (so) figures[kind] += 1
    return so
  }

  /** An SMSC with faults. All share the receipts. */
  const listen = (decide: DecideFault<SmscMoment, SmscFault> | null = null) => {
    /** Whether the fault at a moment prevents the response without faults. */
    const fails = (at: SmscMoment, request: Pdu, { respond, socket }: ScriptedConnection) => {
      const fault = decide?.(at)
      if (fault === "drop") socket.destroy()
      if (typeof fault === "number") respond(request, fault)
      return fault !== undefined
    }
    const sendReceipt = ({ write }: ScriptedConnection, id: string) => {
      const body = waiting.get(id)
      if (body === undefined) return
      const sequence = sent.size + 1
      sent.set(sequence, id)
      write({ command: Command.deliverSm, sequence, body })
    }
    const take = (request: Pdu, connection: ScriptedConnection) => {
      const message = decodeShortMessage(request.body)
      if (message === null) return connection.respond(request, Status.invalidCommandLength)
      const seen = truth.of(`+${message.destination.address}`)
      seen.tries.push(performance.now())
      if (fails("submit", request, connection)) return
      const id = String(++taken)
      seen.accept(partOf(message))
      waiting.set(id, receiptOf(id, message))
      // Without faults no worker binds again.
      const isLate = has("late", id, decide !== null)
      const isEarly = has("early", id, !isLate)
      if (isEarly) sendReceipt(connection, id)
      if (fails("taken", request, connection)) return
      connection.respond(request, Status.ok, encodeId(id))
      decide?.("answered")
      if (!isEarly && !isLate) sendReceipt(connection, id)
      if (!isLate && has("doubled", id)) sendReceipt(connection, id)
    }
    return scriptedServer((pdu, connection) => {
      if (pdu.command === responseTo(Command.deliverSm)) {
        if (pdu.status === Status.ok) waiting.delete(sent.get(pdu.sequence) ?? "")
        decide?.("acknowledged")
      } else if (pdu.command === Command.submitSm) take(pdu, connection)
      else if (pdu.command !== Command.bindTransceiver) connection.respond(pdu)
      else if (!fails("bind", pdu, connection)) {
        connection.respond(pdu)
        figures.repeated += waiting.size
        for (const id of waiting.keys()) sendReceipt(connection, id)
      }
    })
  }

  return { listen, figures, waiting: () => waiting.size }
}
