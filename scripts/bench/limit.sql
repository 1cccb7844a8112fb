-- One INSERT of a message per transaction: the minimum cost of a request.
\set n random(1, 100000000)
INSERT INTO limit_messages (id, organization_id, channel, sender, recipients, subject, html, body, headers, tags, metadata,
  reference, idempotency_key, api_key_id)
VALUES (gen_random_uuid(), '0190b5c4-7a00-7000-8000-000000000001', 0,
  '{"email":"noreply@shop.example.com","name":"Example Shop"}',
  '[{"email":"ada@example.org","name":"Ada Lovelace","kind":"to"}]', 'Your order has shipped',
  repeat('<p>Hello Ada, your order <b>10293</b> has shipped.</p>', 14),
  repeat('Hello Ada, your order 10293 has shipped. ', 3), '{"X-Entity-Ref-ID":"10293"}', ARRAY['order', 'shipping'],
  '{"orderId":"10293","customerId":"cus_123","region":"eu"}', 'order-' || :n, gen_random_uuid()::text,
  '0190b5c4-7a00-7000-8000-000000000003');
