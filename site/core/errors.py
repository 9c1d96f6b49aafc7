"""The error catalogue: one row per refusal, the single source of messages for the API and the islands.

See docs/wire.md#error-catalogue.
"""

from enum import Enum
from http import HTTPStatus

from core.languages import CHINESE, TwoTexts, reader_language


class Err(Enum):
    """One refusal: wire code, Chinese text, English text and HTTP status.

    Code 0 is not a refusal, but a warning with a success.
    """

    parameter_error = (1002, "参数错误", "Parameter error")
    account_or_password_empty = (1002, "账号或密码不能为空", "Account or password is empty")
    account_or_password_wrong = (1, "账号或密码错误", "Account or password is incorrect")
    user_not_found = (1, "用户不存在", "User does not exist")
    verification_code_error = (1, "验证码错误", "Verification code error")
    register_failed = (1, "注册失败", "Failed to register")
    level_missing = (1, "会员等级不存在", "Membership level is missing")
    phone_registered = (1, "手机号已注册", "This cell phone number is already registered")
    goods_error = (1002, "商品信息错误", "Product information error")
    amount_rounded_up = (
        0,
        "数量已按起购量或整箱调整",
        "The quantity was raised to the minimum or to whole cartons",
    )
    choose_carrier = (1002, "请选择物流公司", "Please select a logistics company")
    choose_packing = (1002, "请选择包装方式", "Please select a packing method")
    choose_delivery = (1002, "请选择配送方式", "Please select a distribution method")
    choose_consignee = (1002, "请选择收货地址", "Please select a consignee address")
    choose_shipper = (1002, "请选择发货地址", "Please select a shipper address")
    address_error = (1002, "地址错误", "Address error")
    order_not_found = (1, "订单不存在", "Order does not exist")
    order_cancelled = (1, "订单已取消", "Order has already been cancelled")
    order_exists = (1, "订单已存在", "Order already exists")
    paid_cannot_cancel = (
        1,
        "已支付的订单不能取消，请联系客服退款",
        "Paid orders cannot be cancelled, please contact customer service for a refund",
    )
    stock_insufficient = (1, "库存不足，请选择其他门店", "Stock is insufficient, or choose another store")
    goods_off_shelf = (1, "商品已下架", "This item has been removed from the shelves")
    list_name_taken = (1, "已有同名清单", "You already have a list with this name")
    lists_full = (1, "清单已满", "There is no room for more")
    amount_below_zero = (1002, "商品数量不能小于0", "Quantity cannot be less than 0")
    amount_below_one = (1002, "商品数量不能小于1", "Quantity cannot be less than 1")
    amount_above_limit = (
        1,
        "超出最大可购买数量",
        "The quantity exceeds the maximum that can be purchased",
    )
    one_activity_only = (
        1,
        "同一活动的商品才能一起下单",
        "Only goods in the same activity can be ordered together",
    )
    mixed_settlement = (
        1,
        "不同结算类型的商品不能一起下单",
        "Goods of different settlement types cannot be ordered together",
    )
    order_timeout = (1, "订单超时", "The order has timed out")
    too_many_unpaid = (
        1,
        "请先付款或取消未付款订单",
        "Please pay or cancel an unpaid order first",
    )
    too_many_unpaid_today = (
        1,
        "今天未付款的订单过多，请先付款",
        "Too many unpaid orders today, please pay first",
    )
    one_unpaid_place = (
        1,
        "请先支付或取消该时段的未付款订单",
        "Please pay or cancel your unpaid order for this time first",
    )
    one_long_hold = (
        1,
        "首单付款前，限一个订单使用此付款方式，请先支付或取消该订单",
        "Until your first order is paid, one order can wait for payment. Please pay or cancel it first",
    )
    long_hold_share = (
        1,
        "首单付款前，此付款方式限量，请换付款方式",
        "Until your first order is paid, this payment has a limit. Please pay another way",
    )
    voucher_unknown = (1, "优惠码无效", "This voucher code is not valid")
    voucher_ended = (1, "优惠码不在使用时间内", "This voucher code is not valid at this time")
    voucher_used_up = (1, "优惠码已用完", "This voucher code has been used up")
    voucher_amount_short = (
        1,
        "商品金额未达到优惠码的要求",
        "Your products do not reach the minimum for this voucher code",
    )
    voucher_first_order = (1, "优惠码仅限首次下单使用", "This voucher code is for first orders only")
    voucher_not_for_these = (
        1,
        "优惠码不适用于这些商品",
        "This voucher code does not apply to these products",
    )
    password_wrong = (1, "密码错误", "Wrong password")
    old_password_wrong = (1, "旧密码错误", "Wrong old password")
    password_format = (1002, "密码必须为6位数字", "The password must be exactly 6 digits")
    login_invalid = (1001, "登录失效，请重新登录", "Login is invalid, please log in again")
    account_abnormal = (
        1,
        "账号异常，请联系管理员",
        "The account is abnormal, please contact the administrator",
    )
    not_exported = (1, "部分商品不寄往海外", "Some products cannot be sent abroad")
    export_limit = (1, "超出收件国海关限额，请分单", "The order exceeds customs limits, please split it")
    copy_too_large = (
        1,
        "数据过多，无法在此下载，请联系我们索取",
        "There is too much data to download here, please ask us for it",
    )
    deletion_blocked = (
        1,
        "账户还不能删除",
        "The account cannot be deleted yet",
    )
    id_card_error = (1, "身份证信息错误", "ID card information error")
    balance_insufficient = (1, "账户余额不足", "Insufficient account balance")
    points_insufficient = (1, "积分不足", "You do not have enough points")
    points_unusable = (1, "积分数量错误", "Wrong number of points")
    points_beyond_goods = (1, "积分超出可抵扣金额", "Too many points for these products")
    points_adjusted = (
        1,
        "积分已被调整，请刷新后再试",
        "The points have been adjusted in the meantime, please refresh and try again",
    )
    recharge_not_found = (1, "充值不存在", "Top-up does not exist")
    order_moved = (
        1,
        "订单状态已变化，请刷新后再试",
        "The order’s status has changed, please refresh and try again",
    )
    not_receivable = (
        1,
        "此订单目前不能确认收货",
        "Receipt of this order cannot be confirmed now",
    )
    pickup_code_wrong = (1002, "提货码错误", "Wrong pick-up code")
    refund_above_paid = (1, "退款金额超过可退金额", "That is more than what is left of the payment")
    refund_to_wallet = (1, "这笔款项不能退到钱包", "This money cannot be refunded to the wallet")
    refund_moved = (
        1,
        "退款状态已变化，请刷新后再试",
        "The refund’s status has changed, please refresh and try again",
    )
    payment_disputed = (
        1,
        "付款存在争议，系统不会再退款",
        "The payment is disputed, so the shop refunds nothing",
    )
    second_person_needed = (
        1,
        "金额超过您的权限，需由另一位员工批准",
        "This is above your limit: a second member of staff must approve it",
    )
    approval_waits = (
        1,
        "已有同类申请等待批准",
        "Something of this kind already waits for a second person",
    )
    approval_decided = (
        1,
        "该申请已处理，请刷新后再看",
        "It was decided in the meantime, please refresh",
    )
    approval_by_same = (
        1,
        "需由另一位员工批准",
        "Another member of staff must approve what you entered",
    )
    approval_by_former = (
        1,
        "提交此操作的员工已无此权限，请拒绝",
        "The member of staff that entered this may not do it any more: decline it",
    )
    above_owed = (
        1002,
        "金额超过应付金额",
        "This is more than is left to pay",
    )
    dispute_closed = (
        1,
        "争议已处理，请刷新后再看",
        "The dispute was closed in the meantime, please refresh",
    )
    not_disputable = (
        1,
        "此付款不能记为争议",
        "This payment cannot be recorded as disputed",
    )
    debt_moved = (
        1,
        "欠款已变化，请刷新后再试",
        "The debt has changed in the meantime, please refresh and try again",
    )
    difference_closed = (
        1,
        "该差异已关闭，请刷新后再看",
        "The difference was closed in the meantime, please refresh",
    )
    note_missing = (1002, "请填写备注", "Please enter a note")
    nothing_to_refund = (1002, "没有可退的金额", "There is nothing to refund")
    not_refundable = (1, "此订单没有可退的款项", "This order has nothing to refund")
    restock_above_sent = (
        1002,
        "入库数量超过已发出的数量",
        "More units cannot come back into stock than were sent",
    )
    nothing_to_ship = (1002, "没有可发出的商品", "None of these products are left to send")
    tracking_number_error = (1002, "运单号错误", "Tracking number error")
    undo_over = (1, "十五分钟已过，不能再撤销", "The 15 minutes in which this could be undone are over")
    undo_by_other = (
        1,
        "只有执行此操作的员工本人可以撤销",
        "Only the person who did this can undo it",
    )
    undo_claimed = (
        1,
        "顾客此后提出了售后，不能撤销：请先处理该售后",
        "The customer has made a claim since, so this cannot be undone: please answer the claim",
    )
    undo_refunded = (
        1,
        "此后已有退款，不能撤销",
        "The order was refunded since, so this cannot be undone",
    )
    undo_disputed = (
        1,
        "此后付款发生争议，不能撤销",
        "The payment was disputed since, so this cannot be undone",
    )
    undo_counted = (
        1,
        "此后已盘点其中的商品，不能撤销：请更正库存",
        "Its products were counted since, so this cannot be undone: please correct the stock instead",
    )
    undo_without_account = (
        1,
        "顾客的账户已注销，不能撤销",
        "The customer’s account was deleted since, so this cannot be undone",
    )
    parcel_ended = (1, "包裹已送达或已退回，不能再修改", "The parcel has already arrived or come back")
    pay_type_off = (
        1,
        "该付款方式已停用，请选择其他付款方式",
        "This payment method is no longer offered, please choose another one",
    )
    pay_type_not_for_order = (
        1,
        "此订单不能使用该付款方式，请选择其他付款方式",
        "This payment method cannot be used for this order, please choose another one",
    )
    reviewed_already = (1, "此转账已审核", "This transfer has already been reviewed")
    picture_waits = (
        1,
        "此订单有待审核的转账凭证，请审核该凭证",
        "A picture of this order’s transfer is waiting for review, please review that one",
    )
    amount_differs = (
        1,
        "金额与第一位审核人填写的不同",
        "The first reviewer entered a different amount",
    )
    order_paid = (1, "订单已支付", "Order has already been paid")
    captcha_required = (1, "请先完成安全验证", "Please complete the security check first")
    captcha_unavailable = (
        1,
        "安全验证服务暂时无法使用，请改用本店的验证",
        "This security check is unavailable, please use the shop’s own",
    )
    sms_country = (
        1002,
        "暂不支持向该国家或地区发送短信验证码，请使用邮箱",
        "We cannot send codes to this country by SMS, please use an email address",
    )
    not_found = (1, "内容不存在", "Not found", HTTPStatus.NOT_FOUND)
    method_not_allowed = (1, "请求方式错误", "Method not allowed", HTTPStatus.METHOD_NOT_ALLOWED)
    claim_not_found = (1, "售后申请不存在", "This claim does not exist")
    not_claimable = (
        1,
        "此订单目前不能申请售后，请联系客服",
        "You cannot make a claim for this order now, please contact customer service",
    )
    claim_above_left = (
        1,
        "申请数量超过可申请的数量",
        "You are claiming more units than can still be claimed",
    )
    too_many_claims = (
        1,
        "待处理的售后申请过多，请等待处理",
        "You have too many open claims, please wait for our reply",
    )
    claim_closed = (1, "此售后申请已处理完毕", "This claim has already been decided")
    claim_moved = (
        1,
        "此售后申请已有变化，请刷新后重试",
        "The claim has changed in the meantime, please refresh and try again",
    )
    picture_error = (
        1002,
        "图片无法识别，请上传不超过5MB的JPG、PNG或WebP图片",
        "The picture cannot be read, please upload a JPG, PNG or WebP of at most 5 MB",
    )
    body_too_large = (1, "请求内容过大", "The request is too large", HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    body_too_slow = (
        1,
        "请求超时，请稍后再试",
        "The request has timed out, please try again later",
        HTTPStatus.REQUEST_TIMEOUT,
    )
    too_frequent = (
        1,
        "操作过于频繁，请稍后再试",
        "Your operation is too frequent, please try again later",
        HTTPStatus.TOO_MANY_REQUESTS,
    )
    login_required = (1, "请先登录", "Please log in first~", HTTPStatus.UNAUTHORIZED)
    shop_busy = (
        1,
        "商店正忙，请稍后再试",
        "The shop is busy, please try again later",
        HTTPStatus.TOO_MANY_REQUESTS,
    )
    shop_unavailable = (
        1,
        "商店暂时无法服务，请稍后再试",
        "The shop is temporarily unavailable, please try again later",
        HTTPStatus.SERVICE_UNAVAILABLE,
    )
    server_error = (
        1,
        "服务器异常，请稍后再试",
        "Server exception, please try again later",
        HTTPStatus.INTERNAL_SERVER_ERROR,
    )

    def __init__(self, code: int, zh: str, en: str, status: HTTPStatus = HTTPStatus.OK) -> None:
        self.code = code
        self.zh = zh
        self.en = en
        self.status = status


# Refusals that only staff see, in the back office; the islands need no text for them.
STAFF_ONLY = frozenset(
    {
        Err.order_moved,
        Err.difference_closed,
        Err.second_person_needed,
        Err.approval_waits,
        Err.approval_decided,
        Err.approval_by_same,
        Err.approval_by_former,
        Err.above_owed,
        Err.dispute_closed,
        Err.not_disputable,
        Err.debt_moved,
        Err.points_adjusted,
        Err.note_missing,
        Err.refund_above_paid,
        Err.refund_to_wallet,
        Err.refund_moved,
        Err.payment_disputed,
        Err.nothing_to_refund,
        Err.not_refundable,
        Err.restock_above_sent,
        Err.undo_over,
        Err.undo_by_other,
        Err.undo_claimed,
        Err.undo_refunded,
        Err.undo_disputed,
        Err.undo_counted,
        Err.undo_without_account,
        Err.parcel_ended,
        Err.pickup_code_wrong,
        Err.nothing_to_ship,
        Err.tracking_number_error,
        Err.reviewed_already,
        Err.picture_waits,
        Err.amount_differs,
    }
)


class ShopError(Exception):
    """A refusal that is returned to the caller.

    `fields`: form field → key in the catalogue. `why`: a text that the catalogue cannot contain, such as a
    text by staff or an amount. `retry_after`: seconds after which the caller may retry.
    """

    def __init__(
        self,
        err: Err,
        *,
        fields: dict[str, str] | None = None,
        retry_after: int | None = None,
        why: TwoTexts | None = None,
    ) -> None:
        super().__init__(err.name)
        self.err = err
        self.fields = fields or {}
        self.why = why
        self.retry_after = retry_after


def text_of(error: ShopError) -> str:
    """Return the text of a refusal in the reader's language, for the back office."""
    return error.err.zh if reader_language() == CHINESE else error.err.en
