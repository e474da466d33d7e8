-- The amount and due date of a payout are fixed when the order completes; later it is only marked as paid, or as cancelled, once.
CREATE OR REPLACE FUNCTION refuse_payout_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'payout % % of order % is never changed, only paid or cancelled once', OLD.kind, OLD.number, OLD.order_id
		USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'payouts_kept';
END $$;
