import { isIP } from "node:net"
import { forbiddenAddresses } from "./Addresses.js"

const inUrl = (address: string) => (isIP(address) === 6 ? `[${address}]` : address)

/** The forbidden addresses as URL hosts; a URL can't contain a zone id. */
const literals = forbiddenAddresses
  .map(([address]) => address)
  .filter((address) => isIP(address) > 0 && !address.includes("%"))
  .map(inUrl)

/** Notations that the URL parser normalizes to 127.0.0.1. */
export const loopbackForms: ReadonlyArray<string> = [
  "127.1",
  "127.0.1",
  "127.0.0.1.",
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "0x7F.0x0.0x0.0x1",
  "0177.0.0.1",
  "0177.1",
  "017700000001",
  "127.0x0.00.1",
  "00000177.0.0.1",
  "%31%32%37.0.0.1",
  "127%2e0%2e0%2e1",
  "１２７.0.0.1",
  "①②⑦.0.0.1",
  "127。0。0。1"
]

/** Other notations of forbidden addresses. */
const otherForms = [
  "0",
  "0.0",
  "0x0",
  "10.1",
  "0xa9fea9fe",
  "2852039166",
  "169.254.43518",
  "0251.0376.0251.0376",
  "0xc0a80001",
  "4294967295",
  "[0:0:0:0:0:0:0:1]",
  "[0000::0001]",
  "[::127.0.0.1]",
  "[::ffff:0x7f.1]",
  "[0:0:0:0:0:ffff:7f00:0001]",
  "[::FFFF:127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "[2002:7f00:0001::]",
  "[::ffff:a9fe:a9fe]"
]

/** Names that resolve to loopback without a lookup. */
export const loopbackNames: ReadonlyArray<string> = [
  "localhost",
  "LOCALHOST",
  "localhost.",
  "a.localhost",
  "loc%61lhost",
  "ｌocalhost"
]

/** All hosts that are forbidden without a lookup. */
export const forbiddenHosts: ReadonlyArray<string> = [...literals, ...loopbackForms, ...otherForms, ...loopbackNames]
