-- Who invited whom.
CREATE OR REPLACE VIEW access_inviters AS
SELECT u.id AS user_id, u.referred_by AS inviter_id FROM users u;
