-- Receivers of before had no window that could limit a flow and acknowledged by ack_every alone, and specs say nothing about either. A
-- spec that says nothing now means what Linux has: those that ran say what they had.
UPDATE experiments
SET spec = json_set(spec, '$.flows', (
  SELECT json_group_array(json_insert(flow.value, '$.window_limit_bytes', 'none', '$.ack', 'plain') ORDER BY flow.key)
  FROM json_each(spec, '$.flows') AS flow
));
