-- Posts many bookings in one pass: ledger_write_many, for those who may. One that its process's database user may not book (ledger_may_post) is
-- refused with may_not_book, and leaves the others alone.
CREATE OR REPLACE FUNCTION ledger_post_many(p_reasons text[], p_source_types text[], p_source_ids text[], p_references text[], p_actors text[], p_at timestamptz[], p_bookings integer[], p_sources uuid[], p_source_kinds text[], p_destinations uuid[], p_destination_kinds text[], p_currencies text[], p_amounts numeric[])
RETURNS TABLE (booking integer, transaction_id bigint, refused text) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = 'force_generic_plan' SET jit = off AS $$
DECLARE
	v_refused text[] := array_fill(NULL::text, ARRAY[cardinality(p_references)]);
	r record;
BEGIN
	IF session_user::text LIKE 'wallet\_%' AND session_user <> current_user THEN
		FOR r IN
			SELECT x.n, jsonb_agg(jsonb_build_object('source', x.source, 'sourceKind', x.source_kind, 'destination', x.destination, 'destinationKind', x.destination_kind)) AS transfers
			FROM unnest(p_bookings, p_sources, p_source_kinds, p_destinations, p_destination_kinds) AS x(n, source, source_kind, destination, destination_kind)
			WHERE x.n BETWEEN 1 AND cardinality(p_references)
			GROUP BY x.n
		LOOP
			IF ledger_may_post(session_user::text, p_reasons[r.n], p_source_ids[r.n], p_references[r.n], r.transfers) IS NOT TRUE THEN
				v_refused[r.n] := 'may_not_book';
			END IF;
		END LOOP;
	END IF;
	RETURN QUERY SELECT * FROM ledger_write_many(p_reasons, p_source_types, p_source_ids, p_references, p_actors, p_at, p_bookings, p_sources, p_source_kinds,
		p_destinations, p_destination_kinds, p_currencies, p_amounts, v_refused);
END $$;
