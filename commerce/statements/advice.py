"""What staff do about a difference from a provider's list."""

from django.utils.translation import gettext_lazy as _

from commerce.statements.models import StatementDifference

Reason = StatementDifference.Reason

ADVICE = {
    Reason.only_there: _(
        "The provider has moved this money, and our books do not know it. Look for it at the provider by its"
        " number: whose is it, and does it go to an order or back?"
    ),
    Reason.only_here: _(
        "Our books have this money, and the provider’s list does not. Ask the provider whether it has "
        "moved, and when."
    ),
    Reason.amount: _(
        "Both sides know it, with different amounts or currencies. See at the provider which one has really"
        " moved."
    ),
    Reason.twice: _(
        "The provider’s lists have it more than once. Check with the provider whether the customer has "
        "paid twice, and refund the second payment there."
    ),
}
