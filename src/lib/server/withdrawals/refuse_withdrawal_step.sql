-- The steps of a withdrawal: WITHDRAWAL_STEPS of src/lib/domain/withdrawals/withdrawal.ts; a test compares the two.
CREATE OR REPLACE FUNCTION refuse_withdrawal_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	-- The desk decides, and the chain does the rest: a stolen password of the desk marks nothing as paid or given back.
	IF session_user = 'wallet_desk' AND OLD.state <> NEW.state AND NOT (NEW.state = 'rejected' OR (OLD.state = 'review' AND NEW.state = 'approved')) THEN
		RAISE EXCEPTION 'the desk does not take withdrawal % from % to %', OLD.id, OLD.state, NEW.state
			USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'withdrawals_steps';
	END IF;
	IF (OLD.state, NEW.state) NOT IN (
		('unconfirmed', 'review'), ('unconfirmed', 'approved'), ('unconfirmed', 'signed'), ('unconfirmed', 'cancelled'), ('unconfirmed', 'rejected'),
		('review', 'approved'), ('review', 'signed'), ('review', 'cancelled'), ('review', 'rejected'),
		('approved', 'review'), ('approved', 'signed'), ('approved', 'cancelled'), ('approved', 'rejected'),
		('signed', 'confirmed'), ('signed', 'given_back')
	) THEN
		RAISE EXCEPTION 'withdrawal % does not go from % to %', OLD.id, OLD.state, NEW.state
			USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'withdrawals_steps';
	END IF;
	RETURN NEW;
END $$;
