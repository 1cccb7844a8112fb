// Only undici's pool: 32 concurrent unsigned requests of the size of a webhook.
import { Pool } from "undici"

const { count, port } = JSON.parse(process.argv[2])
const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 32 })
const body = JSON.stringify({ type: "message.delivered", data: { text: "x".repeat(1_400) } })
const post = async () => {
  const response = await pool.request({
    path: "/",
    method: "POST",
    headers: { "content-type": "application/json" },
    body
  })
  await response.body.dump()
}
await post()
let left = count
const began = performance.now()
await Promise.all(
  Array.from({ length: 32 }, async () => {
    while (left-- > 0) await post()
  })
)
process.send({ rate: (count * 1_000) / (performance.now() - began) })
await pool.close()
