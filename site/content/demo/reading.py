"""The demonstration's information pages, in both languages."""

import json
from dataclasses import dataclass, field
from uuid import uuid4

from wagtail.models import Locale, Page

from content.demo.translating import translate
from content.demo.windows import pictured
from content.models import InformationPage

Text = tuple[str, str]


@dataclass(frozen=True)
class Reading:
    """A page in both languages: paragraphs as simple HTML, then questions with answers."""

    slug: str
    title: Text
    intro: Text
    text: Text = ("", "")
    # The category whose picture is shown below the introduction, and the alternative text.
    picture: tuple[int, Text] | None = None
    questions: list[tuple[Text, Text]] = field(default_factory=list)
    has_contact_form: bool = False
    below: "list[Reading]" = field(default_factory=list)


ABOUT = Reading(
    "about-us",
    ("About us and help", "关于我们与帮助"),
    ("About us, how we deliver, how to pay.", "我们是谁、如何配送、如何付款。"),
    below=[
        Reading(
            "information",
            ("About Eastbowl", "关于东碗"),
            (
                "A shop for Asian groceries, health products and beauty, run from Perth.",
                "一家位于珀斯的亚洲食品、保健与美妆商店。",
            ),
            (
                "<p>We bring together what two kitchens need: fresh greens and tofu for tonight, noodles and"
                " sauces for the shelf, and Australian gifts for family abroad.</p><h2>What we promise</h2>"
                "<ul><li>Every price is in Australian dollars, GST included where it applies, with the unit"
                " price next to it.</li><li>The delivery cost is shown before you pay.</li><li>Every"
                " product has its English and Chinese name, so you and your parents can shop"
                " together.</li></ul><p>This shop is a demonstration: nothing is really sold here.</p>",
                "<p>我们把两个厨房需要的东西放在一起：今晚要用的青菜与豆腐，常备的面条与酱料，"
                "以及寄给海外亲友的澳洲特产。</p><h2>我们的承诺</h2><ul><li>所有价格以澳元标示，"
                "应税商品已含 GST，并标注单位价格。</li><li>付款前即可看到运费。</li>"
                "<li>每件商品都有中英文名称，方便一家人一起选购。</li></ul>"
                "<p>本店为演示网站，不会真正售出商品。</p>",
            ),
            picture=(701, ("Packs of instant noodles", "几款方便面")),
        ),
        Reading(
            "delivery",
            ("Delivery and pick-up", "配送与自提"),
            ("Where we deliver, what it costs and when you can pick up.", "配送范围、运费与自提时间。"),
            (
                "<p>The delivery cost depends on where the parcel goes, how heavy it is and whether its"
                " products are chilled or frozen. You see it at the delivery step, before you pay. A parcel"
                " holds up to 22 kg; larger orders are sent in several.</p>"
                '<p><a href="/delivery">Delivery fees and times of each area</a></p>'
                "<h2>Direct mail"
                " abroad</h2><p>Products marked “Direct mail” can be sent to China, Malaysia, Taiwan and"
                " other countries. The recipient pays any duties there.</p><h2>Pick up in"
                " store</h2><p>Choose a store and an hour in the next seven days at checkout. In store, show"
                " the six-digit pick-up code. It is on the page of your order, and in the message that your"
                " order"
                " is ready.</p>",
                "<p>运费取决于目的地、重量，以及商品是否冷藏或冷冻，在配送步骤付款之前显示。"
                "每个包裹最多 22 公斤，较大的订单会分成几个包裹。</p>"
                '<p><a href="/delivery">各地运费与送达时间</a></p>'
                "<h2>海外直邮</h2>"
                "<p>标有“直邮”的商品可寄往中国、马来西亚、台湾及其他国家和地区，"
                "目的地的税费由收件人承担。</p><h2>到店自提</h2>"
                "<p>结算时选择门店和未来七天内的时段。取货时请出示六位取货码："
                "取货码在订单页面上，备货完成的通知中也有。</p>",
            ),
        ),
        Reading(
            "payment",
            ("Payment and refunds", "付款与退款"),
            ("Ways to pay, and how refunds work.", "付款方式与退款说明。"),
            (
                "<p>Pay by card, WeChat Pay, Alipay, PayPal, from your wallet, by bank transfer, or in"
                " store. The payment step shows which you can use. A transfer takes about one day to"
                " confirm.</p><h2>Cancelling</h2><p>You can cancel an unpaid order on its page. For a"
                " paid one, press “Request cancellation” there, until it is packed.</p><h2>Refunds</h2>"
                "<p>Refunds go to your original payment method. Nothing here limits your rights under the"
                " Australian Consumer Law.</p>",
                "<p>可使用银行卡、微信支付、支付宝、PayPal、钱包余额、银行转账或到店付款，"
                "以付款步骤所列为准。银行转账约需一天确认。</p><h2>取消订单</h2>"
                "<p>未付款的订单可在订单页面取消；已付款的订单在打包前可在订单页面申请取消。</p><h2>退款</h2>"
                "<p>退款按原付款方式退回。此处内容不限制您在澳大利亚消费者法下的权利。</p>",
            ),
        ),
        Reading(
            "help",
            ("Questions and answers", "常见问题"),
            ("What customers ask most.", "顾客常问的问题。"),
            questions=[
                (
                    ("Do I need an account?", "需要注册账户吗？"),
                    (
                        "<p>You can browse and fill a cart without one. To order, register with your mobile"
                        " number or email address.</p>",
                        "<p>浏览和加入购物车无需账户；下单请用手机号或邮箱注册。</p>",
                    ),
                ),
                (
                    ("Can I search in Chinese?", "可以用中文搜索吗？"),
                    (
                        "<p>Yes: in simplified or traditional characters, in pinyin, or by its initials.</p>",
                        "<p>可以：简体、繁体、拼音或拼音首字母都能搜索。</p>",
                    ),
                ),
                (
                    ("What does “advance” mean?", "“预售”是什么意思？"),
                    (
                        "<p>It’s limited or arrives later; its page shows how many you can order.</p>",
                        "<p>表示该商品限量或稍后到货，商品页会显示可订购的数量。</p>",
                    ),
                ),
                (
                    ("Which currency do I pay in?", "用什么货币付款？"),
                    (
                        "<p>In Australian dollars. Amounts in yuan are a guide at the rate shown.</p>",
                        "<p>以澳元付款。人民币金额按所示汇率估算，仅供参考。</p>",
                    ),
                ),
            ],
        ),
    ],
)
PRIVACY = Reading(
    "privacyPolicy",
    ("Privacy policy", "隐私政策"),
    (
        "What we keep about you, why, and how to delete it.",
        "我们保存哪些信息、为什么保存，以及如何删除。",
    ),
    (
        "<p>We keep what an order needs: your account, addresses, orders and payments. We do not sell it, and"
        " the shop’s pages load nothing from other companies.</p><h2>What we keep</h2><ul><li>Your mobile"
        " number or email address, and a nickname if you give one.</li><li>Addresses you save, and those of"
        " your orders.</li><li>Orders, payments and refunds; tax law requires us to keep them for"
        " five years.</li><li>For a year after you delete your account, an encrypted code of its name. It"
        " only prevents vouchers and limited offers from being used twice.</li></ul><h2>In your browser</h2>"
        "<p>Your cart and your login are kept in the browser’s storage. When you log in"
        " or set a password, one cookie remembers this browser for 180 days, so that the wrong passwords of"
        " others cannot lock you out of it. It holds a random number and has no other use.</p>"
        "<h2>Your rights</h2><p>Under the Australian Privacy Principles you may see, correct"
        " or delete what we keep. Write to the address at the foot of this page.</p>",
        "<p>我们只保存订单所需的信息：账户、地址、订单与付款记录。我们不会出售这些信息，"
        "商店页面也不加载其他公司的内容。</p><h2>我们保存的信息</h2><ul>"
        "<li>您的手机号或邮箱，以及您填写的昵称。</li><li>您保存的地址和订单地址。</li>"
        "<li>订单、付款与退款记录；按税法规定需保存五年。</li>"
        "<li>删除账户后一年内，保留账号的加密标识，仅用于防止重复使用优惠码和限购优惠。</li></ul><h2>在您的浏览器中</h2>"
        "<p>购物车与登录状态保存在浏览器的存储空间中。登录或设置密码后，一个 Cookie 会在 180 天内"
        "记住此浏览器，避免他人多次输错密码导致您被锁定；它只含随机标识，不作其他用途。</p><h2>您的权利</h2>"
        "<p>根据《澳大利亚隐私原则》，您可以查阅、更正或删除我们保存的信息，"
        "请写信至页脚所列地址。</p>",
    ),
)
TERMS = Reading(
    "terms",
    ("Terms of sale", "销售条款"),
    ("What applies when you buy from us.", "在本店购物适用的条款。"),
    (
        "<h2>Orders</h2><p>Products and prices are as shown when you order. We hold your products for the"
        " time shown at checkout; an order that is not paid by then is cancelled. A contract exists once your"
        " payment has arrived.</p><h2>Prices</h2><p>Prices are in Australian dollars and include GST where it"
        " applies. The delivery cost is shown before you pay. Amounts in yuan are a guide.</p><h2>If"
        " something is sold out</h2><p>At checkout you choose what we do: replace it, refund it or ask"
        " you.</p>"
        "<h2>Alcohol, medicines and limited products</h2><p>Some products can only be sent to certain places"
        " or in limited amounts. Checkout shows this before you pay.</p><h2>Vouchers and points</h2><p>A"
        " voucher"
        " has its own conditions and counts once. Points belong to one account and cannot be exchanged for"
        " cash.</p><h2>Your rights</h2><p>Our products come with guarantees that cannot be excluded under the"
        " Australian Consumer Law. Nothing here limits them. The law of Western Australia applies.</p>",
        "<h2>订单</h2><p>商品与价格以下单时的页面为准。我们会在结算页所示时间内为您保留商品，"
        "逾期未付款的订单自动结束。收到您的付款后，合同成立。</p><h2>价格</h2>"
        "<p>价格以澳元标示，应税商品已含 GST；付款前即可看到运费。人民币金额仅供参考。</p>"
        "<h2>商品缺货时</h2><p>结算时您可以选择处理方式：换成类似商品、退款，或先联系您。</p>"
        "<h2>限制商品</h2><p>部分商品只能寄往特定地区，或限量购买，付款前会提示您。</p>"
        "<h2>优惠码与积分</h2><p>优惠码各有使用条件，且只能使用一次。积分仅限本账户使用，不能兑换现金。</p>"
        "<h2>您的权利</h2><p>《澳大利亚消费者法》规定的保障不可排除，本条款不限制这些权利。"
        "本条款适用西澳大利亚州法律。</p>",
    ),
)
RETURNS = Reading(
    "returns",
    ("Returns and refunds", "退换与退款"),
    (
        "Damaged, missing or wrong? Write to us, and we refund or replace it.",
        "商品破损、缺少或发错？告诉我们，我们会退款或换货。",
    ),
    (
        "<h2>Something is wrong</h2><ol><li>Open the order in your account and press “Something is wrong with"
        " this order”.</li><li>Choose the products and what is wrong, and add a picture if you can.</li><li>"
        "We answer within one working day: with a refund, a replacement or a question.</li></ol><p>Please"
        " write"
        " on the day of arrival about fresh, chilled and frozen food, and within 30 days about the rest."
        "</p><h2>You changed your mind</h2><p>Until an order is packed, press “Request cancellation” on its"
        " page. After that, unopened products that keep at room temperature can come back within 14 days; you"
        " pay the postage. Food that was chilled or frozen cannot be sold again.</p><h2>Your money</h2>"
        "<p>Refunds go back the way you paid. The wallet has them immediately, a bank needs a few days.</p>"
        "<h2>Your rights</h2><p>For a major problem you are entitled to a refund or a replacement under the"
        " Australian Consumer Law, whatever is written here.</p>",
        "<h2>商品有问题</h2><ol><li>在账户中打开订单，点击“订单有问题”。</li>"
        "<li>选择商品和问题类型，最好附上照片。</li>"
        "<li>我们会在一个工作日内回复：退款、换货，或进一步询问。</li></ol>"
        "<p>生鲜、冷藏和冷冻食品请在收货当天告知，其他商品请在 30 天内告知。</p>"
        "<h2>改变主意</h2><p>订单打包前，可在订单页面点击“申请取消订单”。之后，"
        "未拆封的常温商品可在 14 天内退回，邮费由您承担；冷藏、冷冻食品无法再次销售，不能退回。</p>"
        "<h2>退款方式</h2><p>款项按原付款方式退回：钱包即时到账，银行需要几天。</p>"
        "<h2>您的权利</h2><p>如商品存在重大问题，根据《澳大利亚消费者法》您有权要求退款或换货，"
        "不受本页内容限制。</p>",
    ),
)
CONTACT = Reading(
    "contact",
    ("Contact us", "联系我们"),
    (
        "Write to us in English or Chinese. We answer within one working day.",
        "可用中文或英文留言，我们会在一个工作日内回复。",
    ),
    (
        "<p>Is it about an order? Open it in your account and press “Ask about this order”: we then have"
        " everything at hand. You can also call us; the number is at the foot of this page.</p>",
        "<p>咨询订单时，请在账户中打开订单并点击“咨询此订单”，我们能更快为您查询。"
        "您也可以致电页脚所列的客服电话。</p>",
    ),
    has_contact_form=True,
)
GUIDE = Reading(
    "page",
    ("How to shop here", "购物指南"),
    ("From browsing to the parcel at your door.", "从浏览到收货，一步一步说明。"),
    (
        "<ol><li>Search in either language, or open a category.</li><li>Add products with the plus button;"
        " the number on the card is how many are in your cart.</li><li>In the cart, tick what you want to"
        " order now.</li><li>Choose delivery or pick-up; you see the delivery cost immediately.</li><li>Pay."
        " Your order’s page shows its progress.</li></ol>",
        "<ol><li>用中文或英文搜索，或打开商品分类。</li><li>点击加号加入购物车，卡片上的数字就是购物车中的数量。</li>"
        "<li>在购物车中勾选这次要下单的商品。</li><li>选择配送或自提，运费立即显示。</li>"
        "<li>付款。订单页会显示进度。</li></ol>",
    ),
)


def load_reading(root: Page, home: Page) -> None:
    """Create the pages below the English root and home page, and their translations."""
    for above, reading in (
        (home, ABOUT),
        (home, TERMS),
        (home, RETURNS),
        (home, PRIVACY),
        (home, CONTACT),
        (root, GUIDE),
    ):
        _add(above, reading)


def _add(above: Page, reading: Reading) -> None:
    page = above.add_child(instance=_page(reading, 0, above.locale))
    page.save_revision(log_action=True).publish()
    translate(page, _page(reading, 1, above.locale))
    for child in reading.below:
        _add(page, child)


def _page(reading: Reading, place: int, locale: Locale) -> InformationPage:
    return InformationPage(
        title=reading.title[place],
        slug=reading.slug,
        locale=locale,
        intro=reading.intro[place],
        body=json.dumps(_body(reading, place)),
        show_in_menus=True,
    )


def _body(reading: Reading, place: int) -> list[dict[str, object]]:
    blocks: list[dict[str, object]] = []
    if reading.picture:
        category_id, shown = reading.picture
        for category in pictured([category_id]):
            value = {"image": category.picture_id, "alt_text": shown[place], "decorative": False}
            blocks.append({"type": "picture", "value": value, "id": str(uuid4())})
    if reading.text[place]:
        blocks.append({"type": "text", "value": reading.text[place], "id": str(uuid4())})
    for question, answer in reading.questions:
        value = {"question": question[place], "answer": answer[place]}
        blocks.append({"type": "question", "value": value, "id": str(uuid4())})
    if reading.has_contact_form:
        blocks.append({"type": "contact_form", "value": None, "id": str(uuid4())})
    return blocks
