import { assert, it } from "@effect/vitest"
import { addSamples, type MetricSamples, prometheusText } from "@switchboard/server/telemetry/Prometheus"

const requests = (get: number, post: number): MetricSamples => ({
  name: "requests",
  type: "counter",
  samples: [
    ['requests{method="GET"}', get],
    ['requests{method="POST"}', post]
  ]
})

it("Adds the samples of several processes with equal labels", () => {
  const own: MetricSamples = { name: "open", type: "gauge", samples: [["open", 3]] }
  const none: MetricSamples = { name: "none", type: "gauge", samples: [] }
  assert.strictEqual(
    prometheusText(addSamples([requests(1, 2), own, none, requests(10, 20)])),
    '# TYPE open gauge\nopen 3\n# TYPE requests counter\nrequests{method="GET"} 11\nrequests{method="POST"} 22\n'
  )
})
