import type { ApiKey } from "../../app/Types.js"
import { now } from "../../components/Now.js"

/** Whether a key works: `active`, `inactive` or `expired`. */
export const keyStatus = ({ expiresAt, isActive }: ApiKey): string => {
  if (!isActive) return "inactive"
  return expiresAt !== undefined && expiresAt.getTime() <= now.value ? "expired" : "active"
}
