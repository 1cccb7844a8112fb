import { randomBytes } from "node:crypto"

/** A UUID version 7 (RFC 9562 section 5.7). */
export const uuid7 = () => {
  const time = Date.now().toString(16).padStart(12, "0")
  const random = randomBytes(10).toString("hex")
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`
}
