// A DNS server on loopback with the records of the signing domain.
import { createSocket } from "node:dgram"
import dnsPacket from "dns-packet"

/** `records` has the values by "name TYPE"; MX values are "priority host". */
export const startDns = async (records) => {
  const socket = createSocket("udp4")
  const answer = (name, type, value) => {
    const [preference, exchange] = value.split(" ")
    const data =
      type === "MX" ? { preference: Number(preference), exchange } : type === "TXT" ? value.match(/.{1,255}/g) : value
    return { name, type, ttl: 60, data }
  }
  socket.on("message", (message, { address, port }) => {
    const { id, questions } = dnsPacket.decode(message)
    const answers = questions.flatMap(({ name, type }) =>
      (records[`${name.toLowerCase()} ${type}`] ?? []).map((value) => answer(name, type, value))
    )
    const flags = dnsPacket.AUTHORITATIVE_ANSWER | dnsPacket.RECURSION_AVAILABLE
    socket.send(dnsPacket.encode({ type: "response", id, flags, questions, answers }), port, address)
  })
  await new Promise((resolve) => socket.bind(0, "127.0.0.1", resolve))
  return { address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() }
}
