import { exampleAt } from "@switchboard/domain/events/ExampleData"

const pagination = { page: 1, limit: 20, total: 1, totalPages: 1 }

const number = "+4930123456"
const numberId = "5f0c2b9e-71d8-4a36-92bd-0b1c2d3e4f5a"
const nameId = "1c9d8e7f-6a5b-4c3d-8e2f-1a0b9c8d7e6f"

const optOut = {
  id: "01a1fc1e-4b7d-7a63-9f0e-2c1d3e4f5a6b",
  number,
  phone: "+49301234567",
  source: "api",
  createdAt: exampleAt
}

/** Examples of numbers and opt-outs by operation id. */
export const smsExamples = {
  "numbers.list": {
    response: {
      items: [
        { id: numberId, number, channels: ["sms", "whatsapp", "voice"], createdAt: exampleAt },
        { id: nameId, number: "Ada GmbH", channels: ["sms"], createdAt: exampleAt }
      ]
    }
  },
  "optOuts.list": { response: { items: [{ ...optOut, source: "recipient" }], pagination } },
  "optOuts.create": { request: { number, phone: optOut.phone }, response: optOut },
  "optOuts.remove": { response: { success: true } }
}
