const words = (text: string) => text.split(/\s+/)

/** Forbidden addresses by a part of the kind in the error message. */
const forbidden: Readonly<Record<string, string>> = {
  unspecified: "0.0.0.0 0.1.2.3 ::",
  private: "10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.254 192.168.0.1 192.168.255.255",
  "carrier-grade NAT": "100.64.0.1 100.127.255.254",
  loopback: "127.0.0.1 127.255.255.254 ::1",
  "cloud platform": "168.63.129.16",
  "link-local": "169.254.0.1 169.254.169.254 169.254.170.2 fe80::1 fe80::1%eth0 febf::1",
  reserved: `192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1 198.18.0.1 198.19.255.254 198.51.100.1 203.0.113.1
    240.0.0.1 255.255.255.254 ::2 ::7f00:1 ::10.0.0.1 ::8.8.8.8 100:0:0:1::1 2001:1::1 2001:1ff:ffff::1 2001:db8::1
    3fff::1 3fff:fff::1 4000::1`,
  AS112: "192.31.196.1 192.175.48.1 2001:4:112::1 2620:4f:8000::1",
  AMT: "192.52.193.1 2001:3::1",
  multicast: "224.0.0.1 239.255.255.250 ff02::1 ff0e::1",
  broadcast: "255.255.255.255",
  "IPv4-mapped": "::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:169.254.169.254 ::ffff:8.8.8.8",
  "IPv4-translated": "::ffff:0:127.0.0.1 ::ffff:0:8.8.8.8",
  NAT64: "64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b::8.8.8.8 64:ff9b:1::1",
  discard: "100::1",
  Teredo: "2001::1 2001:0:7f00:1::",
  benchmarking: "2001:2::1",
  ORCHID: "2001:10::1 2001:20::1",
  drone: "2001:30::1",
  "6to4": "2002:7f00:1:: 2002:a9fe:a9fe::1 2002:808:808::1",
  "segment routing": "5f00::1",
  "unique local": "fc00::1 fd00:ec2::254 fdff::1",
  "site-local": "fec0::1",
  unknown: "127.1 0x7f000001 localhost"
}

/** Addresses that are forbidden without NETWORK_ALLOW, with a part of the kind in the error message. */
export const forbiddenAddresses: ReadonlyArray<readonly [address: string, kind: string]> = [
  ["", "unknown"],
  ...Object.entries(forbidden).flatMap(([kind, text]) => words(text).map((address) => [address, kind] as const))
]

/** Public addresses, including those next to forbidden blocks. */
export const publicAddresses: ReadonlyArray<string> = words(`1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.1 100.63.255.255
  100.128.0.1 126.255.255.255 128.0.0.1 168.63.129.15 168.63.129.17 169.253.255.255 172.15.255.255 172.32.0.1
  192.0.1.1 192.167.255.255 198.17.255.255 198.20.0.1 223.255.255.255 2001:200::1 2001:4860:4860::8888 2003::1
  2606:4700:4700::1111 2a00:1450:4001:80b::200e`)
