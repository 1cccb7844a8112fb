/** Commands of SMPP 3.4 (section 5.1.2.1). A response has the id of its request and the highest bit. */
export const Command = {
  bindReceiver: 0x01,
  bindTransmitter: 0x02,
  submitSm: 0x04,
  deliverSm: 0x05,
  unbind: 0x06,
  bindTransceiver: 0x09,
  enquireLink: 0x15,
  genericNack: 0x80000000
} as const

const responseBit = 0x80000000

/** The length of a PDU at most, in octets. A longer one ends the session. */
export const maxPduLength = 64 * 1024

const headerLength = 16

/** A protocol data unit. */
export interface Pdu {
  readonly command: number
  readonly status: number
  readonly sequence: number
  readonly body: Uint8Array
}

export const isResponse = ({ command }: Pdu): boolean => command >= responseBit

/** The command of the response to a request. */
export const responseTo = (command: number): number => command + responseBit

/** The octets of a PDU. */
export const encodePdu = ({ body, command, sequence, status }: Pdu): Buffer => {
  const octets = Buffer.alloc(headerLength + body.length)
  octets.writeUInt32BE(octets.length, 0)
  octets.writeUInt32BE(command, 4)
  octets.writeUInt32BE(status, 8)
  octets.writeUInt32BE(sequence, 12)
  octets.set(body, headerLength)
  return octets
}

/** Splits received octets into PDUs. Holds at most the octets of one PDU and of one read. */
export class PduReader {
  private chunks: Array<Buffer> = []
  private length = 0

  push(chunk: Buffer): void {
    this.chunks.push(chunk)
    this.length += chunk.length
  }

  /** The next PDU; null if it is not complete; `invalid` if its declared length can't be true. */
  next(): Pdu | "invalid" | null {
    if (this.length < 4) return null
    const [first = Buffer.alloc(0)] = this.chunks
    const start = first.length < 4 ? this.join() : first
    const length = start.readUInt32BE(0)
    if (length < headerLength || length > maxPduLength) return "invalid"
    if (this.length < length) return null
    const octets = start.length < length ? this.join() : start
    this.chunks[0] = octets.subarray(length)
    if (octets.length === length) this.chunks.shift()
    this.length -= length
    return {
      command: octets.readUInt32BE(4),
      status: octets.readUInt32BE(8),
      sequence: octets.readUInt32BE(12),
      body: octets.subarray(headerLength, length)
    }
  }

  private join(): Buffer {
    const joined = Buffer.concat(this.chunks)
    this.chunks = [joined]
    return joined
  }
}

/** Reads the fields of a body in order. A field beyond the end is empty, and `isTruncated` is then true. */
class FieldReader {
  isTruncated = false
  private at = 0

  constructor(private readonly octets: Uint8Array) {}

  get rest(): number {
    return this.octets.length - this.at
  }

  bytes(length: number): Uint8Array {
    if (length > this.rest) this.isTruncated = true
    const read = this.octets.subarray(this.at, this.at + length)
    this.at += length
    return read
  }

  byte(): number {
    return this.bytes(1)[0] ?? 0
  }

  short(): number {
    return (this.byte() << 8) | this.byte()
  }

  /** A C-octet string: it ends with NUL. `maxLength` includes the NUL. */
  text(maxLength: number): string {
    const end = this.octets.indexOf(0, this.at)
    if (end < 0 || end - this.at >= maxLength) {
      this.isTruncated = true
      return ""
    }
    const text = latin1(this.octets.subarray(this.at, end))
    this.at = end + 1
    return text
  }
}

/** Octets as Latin-1 text. */
export const latin1 = (octets: Uint8Array): string =>
  Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString("latin1")

/** A C-octet string. Text after a NUL is omitted. */
const cString = (text: string): Buffer => Buffer.from(`${text.split("\0", 1)[0]}\0`, "latin1")

/** Optional parameters by tag. Of repeated tags, the last one counts. */
export type Tlvs = ReadonlyMap<number, Uint8Array>

/** Tags of optional parameters (section 5.3.2). */
export const Tag = {
  receiptedMessageId: 0x001e,
  sarMsgRefNum: 0x020c,
  sarTotalSegments: 0x020e,
  sarSegmentSeqnum: 0x020f,
  messagePayload: 0x0424,
  messageState: 0x0427
} as const

/** The address of a sender or recipient with its type of number and numbering plan. */
export interface SmppAddress {
  readonly ton: number
  readonly npi: number
  readonly address: string
}

/** The body of submit_sm and deliver_sm, which have the same fields. */
export interface ShortMessage {
  readonly source: SmppAddress
  readonly destination: SmppAddress
  readonly esmClass: number
  readonly registeredDelivery: number
  readonly dataCoding: number
  readonly shortMessage: Uint8Array
  readonly tlvs: Tlvs
}

/** The short_message at most, in octets. */
export const maxShortMessage = 254

export const encodeShortMessage = (message: ShortMessage): Buffer => {
  const address = ({ address, npi, ton }: SmppAddress) => [Buffer.of(ton, npi), cString(address)]
  return Buffer.concat([
    cString(""),
    ...address(message.source),
    ...address(message.destination),
    // protocol_id and priority_flag; no schedule_delivery_time and no validity_period.
    Buffer.of(message.esmClass, 0, 0, 0, 0),
    // replace_if_present_flag and sm_default_msg_id are 0.
    Buffer.of(message.registeredDelivery, 0, message.dataCoding, 0, message.shortMessage.length),
    message.shortMessage,
    ...[...message.tlvs].flatMap(([tag, value]) => {
      const header = Buffer.alloc(4)
      header.writeUInt16BE(tag, 0)
      header.writeUInt16BE(value.length, 2)
      return [header, value]
    })
  ])
}

/** Reads the body of submit_sm or deliver_sm; null if a field or an optional parameter is truncated. */
export const decodeShortMessage = (body: Uint8Array): ShortMessage | null => {
  const reader = new FieldReader(body)
  // SMPP 3.4 allows 21 octets in an address; some servers send longer alphanumeric ones.
  const address = () => ({ ton: reader.byte(), npi: reader.byte(), address: reader.text(66) })
  reader.text(7)
  const [source, destination] = [address(), address()]
  const esmClass = reader.byte()
  reader.bytes(2)
  reader.text(18)
  reader.text(18)
  const registeredDelivery = reader.byte()
  reader.byte()
  const dataCoding = reader.byte()
  reader.byte()
  const shortMessage = reader.bytes(reader.byte())
  const tlvs = new Map<number, Uint8Array>()
  while (reader.rest > 0) {
    const tag = reader.short()
    tlvs.set(tag, reader.bytes(reader.short()))
  }
  if (reader.isTruncated) return null
  return { source, destination, esmClass, registeredDelivery, dataCoding, shortMessage, tlvs }
}

/** The identity of a session. */
export interface BindBody {
  readonly systemId: string
  readonly password: string
}

export const encodeBind = ({ password, systemId }: BindBody): Buffer =>
  // system_type is empty; interface_version 3.4; addr_ton, addr_npi and address_range are unset.
  Buffer.concat([cString(systemId), cString(password), cString(""), Buffer.of(0x34, 0, 0), cString("")])

/** Reads the body of a bind; null if it is truncated. */
export const decodeBind = (body: Uint8Array): BindBody | null => {
  const reader = new FieldReader(body)
  const bind = { systemId: reader.text(66), password: reader.text(66) }
  return reader.isTruncated ? null : bind
}

/** The body of a response with a message id or a system id. */
export const encodeId = cString

/** The id in the body of a response; empty if there is none. Some servers omit its final NUL. */
export const decodeId = (body: Uint8Array): string => latin1(body.subarray(0, 65)).split("\0", 1)[0] ?? ""
