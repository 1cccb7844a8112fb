/** Examples by operation id. */
export const systemExamples = {
  "system.status": {
    response: {
      version: "0.3.0",
      queues: [{ queue: "message", ready: 2, leased: 10, waiting: 3, oldestSeconds: 0.4, isPaused: false }],
      relays: [{ relay: "smtp.example.com:587", state: "closed", nextAttemptAt: null }],
      findings: [
        { level: "ok", subject: "Database (DATABASE_URL)" },
        {
          level: "error",
          subject: "Relay smtp.example.com:587",
          advice: ["connect ECONNREFUSED", "Check SMTP_URL, and that the relay accepts connections from this host."]
        }
      ],
      checkedAt: "2026-11-20T09:30:00.000Z"
    }
  }
}
