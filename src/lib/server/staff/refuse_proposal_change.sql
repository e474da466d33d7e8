-- What was proposed stays as it was: only its state, its decision and its outcome are written, and only while it is open.
CREATE OR REPLACE FUNCTION refuse_proposal_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE'
		OR (OLD.id, OLD.act, OLD.subject, OLD.input, OLD.facts, OLD.plan, OLD.why, OLD.proposed_by, OLD.proposed_at, OLD.expires_at)
			IS DISTINCT FROM (NEW.id, NEW.act, NEW.subject, NEW.input, NEW.facts, NEW.plan, NEW.why, NEW.proposed_by, NEW.proposed_at, NEW.expires_at)
		OR (OLD.state NOT IN ('open', 'lapsed'))
	THEN
		RAISE EXCEPTION 'a proposal is not changed: % of %', TG_OP, OLD.id USING ERRCODE = 'integrity_constraint_violation';
	END IF;
	RETURN NEW;
END $$;
