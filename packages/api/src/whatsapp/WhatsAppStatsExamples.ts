/** Examples by operation id. */
export const whatsAppStatsExamples = {
  "whatsappStats.get": {
    response: {
      totalSent: 20,
      totalDelivered: 18,
      totalRead: 15,
      totalFailed: 5,
      deliveryRate: 0.9,
      readRate: 0.75,
      failureRate: 0.2
    }
  }
}
