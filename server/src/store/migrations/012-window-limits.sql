-- Flows of before had no receive window that could limit them, and their specs say nothing about it. A spec that says nothing now means
-- what Linux allows: those that ran say what they had.
UPDATE experiments
SET spec = json_set(spec, '$.flows', (
  SELECT json_group_array(json_insert(flow.value, '$.window_limit_bytes', 'none') ORDER BY flow.key)
  FROM json_each(spec, '$.flows') AS flow
));
