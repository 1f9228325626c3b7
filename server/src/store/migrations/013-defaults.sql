-- Parameters whose value is another one now where a spec says nothing. What ran says what it had: the spec, and the cells that CCAs are
-- named by.
CREATE TEMP TABLE before (cca TEXT PRIMARY KEY, params TEXT NOT NULL);
INSERT INTO before VALUES ('oracle', '{"knows":"queue"}');

UPDATE experiments
SET spec = json_set(spec, '$.ccas', (
  SELECT json_group_array(
    json(iif(before.cca IS NULL, ref.value, json_set(ref.value, '$.params', json(json_patch(before.params, coalesce(ref.value ->> '$.params', '{}'))))))
    ORDER BY ref.key
  )
  FROM json_each(spec, '$.ccas') AS ref LEFT JOIN before ON before.cca = ref.value ->> '$.id'
), '$.flows', (
  SELECT json_group_array(
    json(iif(before.cca IS NULL, flow.value, json_set(flow.value, '$.cca.params', json(json_patch(before.params, coalesce(flow.value ->> '$.cca.params', '{}'))))))
    ORDER BY flow.key
  )
  FROM json_each(spec, '$.flows') AS flow LEFT JOIN before ON before.cca = flow.value ->> '$.cca.id'
));

UPDATE experiment_cells
SET body = json_set(body, '$.cca.params', json(json_patch(before.params, coalesce(body ->> '$.cca.params', '{}'))))
FROM before WHERE before.cca = body ->> '$.cca.id';

DROP TABLE before;
