-- Decides whether a customer may move coins away; nothing else does. `reason` is null if they may; otherwise the first that applies:
--   locked        the customer reported a sign-in as somebody else's; only a new password ends it
--   held          an operator must review the account first, e.g. because a payment was taken back
--   resting       withdrawals are paused up to `until`, after a change to the security of the account
--   not_verified  p_verified is false: the identity check is not completed; the caller passes it in, because identity is a later feature
CREATE OR REPLACE FUNCTION access_gate(p_user uuid, p_verified boolean, p_at timestamptz, OUT reason text, OUT until timestamptz) LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
	v_locked_at timestamptz;
	v_rest_until timestamptz;
BEGIN
	SELECT u.locked_at, u.withdrawals_rest_until INTO v_locked_at, v_rest_until FROM users u WHERE u.id = p_user;
	IF v_locked_at IS NOT NULL THEN
		reason := 'locked';
	ELSIF EXISTS (SELECT FROM withdrawal_holds h WHERE h.user_id = p_user AND h.released_at IS NULL AND (h.ends_at IS NULL OR h.ends_at > p_at)) THEN
		reason := 'held';
	ELSIF v_rest_until > p_at THEN
		reason := 'resting';
		until := v_rest_until;
	ELSIF NOT p_verified THEN
		reason := 'not_verified';
	END IF;
END $$;
