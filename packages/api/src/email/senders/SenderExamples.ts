const at = "2026-11-20T09:30:00.000Z"

const pending = {
  id: "01a1fc1d-e2a0-7029-814e-d493ca640e51",
  organizationId: "01a1fc1d-cf8f-76d9-be28-52307925009f",
  domainId: "01a1fc1d-e2a0-7029-814e-d493ca640e3d",
  email: "orders@example.com",
  name: "Example Orders",
  replyTo: "help@example.com",
  verificationToken: "5b2f0d7a-6a59-4c0e-9d6f-1c2f8a3b7e41",
  verificationStatus: "pending",
  isDefault: false,
  isActive: true,
  reputation: 100,
  createdAt: at,
  updatedAt: at
}

const { verificationToken: _, ...rest } = pending
const verified = { ...rest, verificationStatus: "verified", verifiedAt: "2026-11-20T09:42:10.000Z" }

/** Examples by operation id. */
export const senderExamples = {
  "senders.list": { response: { items: [verified], pagination: { page: 1, limit: 20, total: 1, totalPages: 1 } } },
  "senders.create": {
    request: { email: pending.email, name: pending.name, replyTo: pending.replyTo },
    response: pending
  },
  "senders.verification": {
    response: { id: pending.id, verificationStatus: "verified", verifiedAt: verified.verifiedAt }
  },
  "senders.remove": { response: { success: true } },
  "senderConfirmations.look": { response: "<!doctype html>…" },
  "senderConfirmations.confirm": { response: "<!doctype html>…" }
}
