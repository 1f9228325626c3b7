-- As 013, for what changed after it. The oracle is here again for specs that did not write its parameters down: the first builds with 013 left
-- null in their place.
CREATE TEMP TABLE before (cca TEXT PRIMARY KEY, params TEXT NOT NULL, only_null INTEGER NOT NULL);
INSERT INTO before VALUES
  ('copa', '{"profile":"paper"}', 0),
  ('oracle', '{"knows":"queue"}', 1),
  ('reminis', '{"base":"reno","d_stat":"mean","si_factor":1}', 0);

UPDATE experiments
SET spec = json_set(spec, '$.ccas', (
  SELECT json_group_array(
    json(iif(before.cca IS NULL, ref.value, json_set(ref.value, '$.params', json(json_patch(before.params, coalesce(ref.value ->> '$.params', '{}'))))))
    ORDER BY ref.key
  )
  FROM json_each(spec, '$.ccas') AS ref
  LEFT JOIN before ON before.cca = ref.value ->> '$.id' AND (NOT only_null OR json_type(ref.value, '$.params') = 'null')
), '$.flows', (
  SELECT json_group_array(
    json(iif(before.cca IS NULL, flow.value, json_set(flow.value, '$.cca.params', json(json_patch(before.params, coalesce(flow.value ->> '$.cca.params', '{}'))))))
    ORDER BY flow.key
  )
  FROM json_each(spec, '$.flows') AS flow
  LEFT JOIN before ON before.cca = flow.value ->> '$.cca.id' AND (NOT only_null OR json_type(flow.value, '$.cca.params') = 'null')
));

UPDATE experiment_cells
SET body = json_set(body, '$.cca.params', json(json_patch(before.params, coalesce(body ->> '$.cca.params', '{}'))))
FROM before WHERE before.cca = body ->> '$.cca.id' AND (NOT only_null OR json_type(body, '$.cca.params') = 'null');

DROP TABLE before;
