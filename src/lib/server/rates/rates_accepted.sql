-- The price of a token in USD that the worker has accepted last; null if there is none.
CREATE OR REPLACE FUNCTION rates_accepted(p_currency text) RETURNS numeric LANGUAGE plpgsql STABLE AS $$
BEGIN
	RETURN (SELECT a.price_usd FROM accepted_prices a WHERE a.currency = p_currency);
END $$;
