"""Services for customers' accounts, one file per subject."""

from commerce.accounts.services.addresses import (
    add_address,
    change_address,
    choose_default_address,
    remove_address,
)
from commerce.accounts.services.captcha import (
    issue_geetest_ticket,
    issue_ticket,
    new_challenge,
    returned_if_refused,
    spend_ticket,
)
from commerce.accounts.services.codes import send_code
from commerce.accounts.services.devices import devices_of, end_login
from commerce.accounts.services.former import former_customers, is_person, remember_account
from commerce.accounts.services.levels import change_levels, level_for, levels_by_spend, rate_of_points
from commerce.accounts.services.lock import lock_customer
from commerce.accounts.services.login import (
    Login,
    change_login_password,
    check_login_password,
    log_in,
    log_in_with_code,
    register,
    reset_password,
)
from commerce.accounts.services.pay_password import (
    change_pay_password,
    check_pay_password,
    set_pay_password,
)
from commerce.accounts.services.profile import change_profile
from commerce.accounts.services.purge import purge_expired
from commerce.accounts.services.tokens import (
    customer_of_token,
    issue_token,
    revoke_all_tokens,
    revoke_token,
)

__all__ = [
    "Login",
    "add_address",
    "change_address",
    "change_levels",
    "change_login_password",
    "change_pay_password",
    "change_profile",
    "check_login_password",
    "check_pay_password",
    "choose_default_address",
    "customer_of_token",
    "devices_of",
    "end_login",
    "former_customers",
    "is_person",
    "issue_geetest_ticket",
    "issue_ticket",
    "issue_token",
    "level_for",
    "levels_by_spend",
    "lock_customer",
    "log_in",
    "log_in_with_code",
    "new_challenge",
    "purge_expired",
    "rate_of_points",
    "register",
    "remember_account",
    "remove_address",
    "reset_password",
    "returned_if_refused",
    "revoke_all_tokens",
    "revoke_token",
    "send_code",
    "set_pay_password",
    "spend_ticket",
]
