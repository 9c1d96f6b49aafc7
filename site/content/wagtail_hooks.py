"""What the back office learns from this app."""

from wagtail import hooks

from content.choosers import GoodsChooserViewSet, goods_chooser_viewset


@hooks.register("register_admin_viewset")
def register_goods_chooser() -> GoodsChooserViewSet:
    """Let pages choose goods."""
    return goods_chooser_viewset
