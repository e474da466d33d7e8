-- The inviter is set at sign-up and never changes, so nobody can invite themselves and invitations never form a loop.
CREATE OR REPLACE FUNCTION refuse_other_inviter() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'who invited a customer is told at sign-up alone'
		USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'users_inviter_is_final';
END $$;
