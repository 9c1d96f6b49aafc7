from decimal import Decimal

import django.db.models.deletion
import django.db.models.functions.comparison
from django.conf import settings
from django.db import migrations, models

# Code on the wire, name, pay code, picture, provider, switched on (docs/product.md#constants).
PAY_TYPES = [
    ("5", "RoyalPayCard", "RoyalPayCard", "card", "royalpay", True),
    ("2", "Wechat", "Wechat", "qr", "royalpay", True),
    ("4", "Ali", "Ali", "phone", "royalpay", True),
    ("Paypal", "Paypal", "Paypal", "online", "paypal", True),
    ("0", "Pre-deposit", "PreDeposit", "wallet", "wallet", True),
    ("transfer", "OffLine Transfer", "transfer", "transfer", "", False),
    ("cashOnDelivery", "Cash on delivery", "cashOnDelivery", "cash", "", False),
    ("3", "Poli", "Poli", "bank", "", False),
    ("1", "Contact customer service", "service", "service", "", False),
]
# English name, Chinese name, English hint, Chinese hint, by the code on the wire (docs/product.md#constants).
NAMES = {
    "5": (
        "Credit or debit card",
        "信用卡或借记卡",
        "Paid on the payment page, then you come back here",
        "在支付页面完成付款后返回本站",
    ),
    "2": ("WeChat Pay", "微信支付", "", ""),
    "4": ("Alipay", "支付宝", "", ""),
    "Paypal": ("PayPal", "PayPal", "", ""),
    "0": ("Wallet", "钱包", "", ""),
    "transfer": (
        "Offline bank transfer",
        "线下银行转账",
        "Confirming a transfer takes 1 day",
        "转账需 1 天确认",
    ),
    "cashOnDelivery": ("Cash on delivery", "货到付款", "", ""),
    "3": ("POLi", "POLi", "", ""),
    "1": ("Contact customer service", "联系客服", "", ""),
}


def add_pay_types(apps, schema_editor):
    pay_type = apps.get_model("payments", "PayType")
    for sort, (code, name, pay_code, picture, provider, enabled) in enumerate(PAY_TYPES, start=1):
        name_en, name_zh, hint_en, hint_zh = NAMES[code]
        pay_type.objects.get_or_create(
            code=code,
            defaults={
                "pay_name": name,
                "pay_code": pay_code,
                "picture": f"img/pay/{picture}.svg",
                "provider": provider,
                "enabled": enabled,
                "sort": sort,
                "name_en": name_en,
                "name_zh": name_zh,
                "hint_en": hint_en,
                "hint_zh": hint_zh,
            },
        )


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('orders', '0001_initial'),
        ('wagtailimages', '0027_image_description'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Payment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reference', models.CharField(max_length=60, unique=True, verbose_name='payment number')),
                ('pay_type', models.CharField(max_length=16, verbose_name='payment method')),
                ('provider', models.CharField(max_length=20, verbose_name='provider')),
                ('amount', models.DecimalField(decimal_places=2, max_digits=12, verbose_name='amount')),
                ('currency', models.CharField(default='AUD', max_length=3, verbose_name='currency')),
                ('received_amount', models.DecimalField(decimal_places=2, max_digits=12, null=True, verbose_name='amount received')),
                ('received_currency', models.CharField(blank=True, db_default='', default='', max_length=3, verbose_name='currency received')),
                ('refunded', models.DecimalField(db_default=Decimal('0.00'), decimal_places=2, default=Decimal('0.00'), max_digits=12, verbose_name='given back, or on its way back')),
                ('is_held', models.BooleanField(db_default=False, default=False, verbose_name='held until the rest is paid')),
                ('note', models.CharField(blank=True, db_default='', default='', max_length=200, verbose_name='note')),
                ('state', models.CharField(choices=[('pending', 'Pending'), ('paid', 'Paid'), ('failed', 'Failed')], default='pending', max_length=8, verbose_name='state')),
                ('provider_ref', models.CharField(blank=True, db_default='', default='', max_length=80, verbose_name='number at the provider')),
                ('capture_ref', models.CharField(blank=True, db_default='', default='', max_length=80)),
                ('jump_url', models.URLField(blank=True, max_length=500)),
                ('language', models.CharField(default='en', max_length=8)),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='begun at')),
                ('settled_at', models.DateTimeField(null=True, verbose_name='outcome known at')),
                ('next_query_at', models.DateTimeField(null=True, verbose_name='provider is asked again at')),
                ('queries', models.PositiveSmallIntegerField(default=0, verbose_name='times the provider was asked')),
                ('queried_at', models.DateTimeField(null=True, verbose_name='provider was last asked at')),
                ('overdue_at', models.DateTimeField(null=True, verbose_name='without an outcome for a day at')),
                ('disputed_at', models.DateTimeField(null=True, verbose_name='disputed by the customer at')),
                ('order', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='payments', to='orders.order', verbose_name='order')),
                ('staff', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='recorded by')),
            ],
            options={
                'verbose_name': 'payment',
                'verbose_name_plural': 'payments',
                'ordering': ['-id'],
                'permissions': [('record_payment', 'Can record payments that staff have received')],
            },
        ),
        migrations.CreateModel(
            name='Certificate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=43, unique=True, verbose_name='name')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='uploaded at')),
                ('picture_hash', models.CharField(blank=True, db_default='', default='', max_length=256)),
                ('state', models.CharField(choices=[('uploaded', 'Proves no order yet'), ('waiting', 'Waiting for review'), ('approved', 'Approved'), ('rejected', 'Rejected'), ('replaced', 'Replaced by another one')], db_default='uploaded', default='uploaded', max_length=8, verbose_name='state')),
                ('reason', models.CharField(blank=True, choices=[('not_received', 'The money has not arrived'), ('unreadable', 'The picture cannot be read'), ('wrong_account', 'The transfer went to another account'), ('wrong_order', 'The transfer is for another order'), ('other', 'Another reason')], db_default='', default='', max_length=14, verbose_name='reason')),
                ('reason_text', models.CharField(blank=True, db_default='', default='', max_length=300, verbose_name='to the customer')),
                ('note', models.CharField(blank=True, db_default='', default='', max_length=200, verbose_name='note')),
                ('amount', models.DecimalField(decimal_places=2, max_digits=12, null=True, verbose_name='amount received')),
                ('reviewed_at', models.DateTimeField(null=True, verbose_name='reviewed at')),
                ('first_amount', models.DecimalField(decimal_places=2, max_digits=12, null=True, verbose_name='amount first approved')),
                ('message_due', models.BooleanField(db_default=False, default=False, editable=False)),
                ('picture_deleted_at', models.DateTimeField(editable=False, null=True)),
                ('customer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='certificates', to='accounts.customer', verbose_name='customer')),
                ('first_approver', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='first approved by')),
                ('order', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='certificates', to='orders.order', verbose_name='order')),
                ('reviewed_by', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='reviewed by')),
                ('payment', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payments.payment', verbose_name='payment')),
            ],
            options={
                'verbose_name': 'payment certificate',
                'verbose_name_plural': 'payment certificates',
                'ordering': ['-id'],
                'permissions': [('review_certificate', 'Can review transfers')],
            },
        ),
        migrations.CreateModel(
            name='PaymentEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('provider', models.CharField(max_length=20)),
                ('event_id', models.CharField(max_length=80)),
                ('body', models.JSONField()),
                ('reports_paid', models.BooleanField(db_default=False, default=False)),
                ('denied_at', models.DateTimeField(null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('payment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='events', to='payments.payment')),
            ],
        ),
        migrations.CreateModel(
            name='PayType',
            fields=[
                ('code', models.CharField(max_length=16, primary_key=True, serialize=False, verbose_name='code on the wire')),
                ('name_en', models.CharField(db_default='', default='', max_length=60, verbose_name='English name')),
                ('name_zh', models.CharField(db_default='', default='', max_length=60, verbose_name='Chinese name')),
                ('hint_en', models.CharField(blank=True, db_default='', default='', max_length=120, verbose_name='hint, English')),
                ('hint_zh', models.CharField(blank=True, db_default='', default='', max_length=120, verbose_name='hint, Chinese')),
                ('pay_name', models.CharField(db_default='', default='', editable=False, max_length=60)),
                ('pay_code', models.CharField(max_length=20, verbose_name='pay code')),
                ('picture', models.CharField(max_length=200, verbose_name='picture')),
                ('provider', models.CharField(blank=True, max_length=20, verbose_name='provider')),
                ('enabled', models.BooleanField(default=False, verbose_name='on')),
                ('sort', models.PositiveSmallIntegerField(default=0, verbose_name='place in the list')),
                ('countries', models.CharField(blank=True, db_default='', default='', help_text='Codes of two letters, such as AU, CN, NZ. Empty means everywhere.', max_length=800, verbose_name='countries')),
                ('from_amount', models.DecimalField(blank=True, decimal_places=2, max_digits=12, null=True, verbose_name='smallest amount, AUD')),
                ('to_amount', models.DecimalField(blank=True, decimal_places=2, max_digits=12, null=True, verbose_name='largest amount, AUD')),
                ('for_domestic', models.BooleanField(db_default=True, default=True, verbose_name='for delivery in Australia')),
                ('for_abroad', models.BooleanField(db_default=True, default=True, verbose_name='for delivery abroad')),
                ('for_pickup', models.BooleanField(db_default=True, default=True, verbose_name='for pick-up in store')),
                ('image', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='wagtailimages.image', verbose_name='picture of your own')),
            ],
            options={
                'verbose_name': 'payment method',
                'verbose_name_plural': 'payment methods',
                'ordering': ['sort', 'code'],
            },
        ),
        migrations.CreateModel(
            name='PictureBand',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('value', models.BigIntegerField()),
                ('certificate', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='bands', to='payments.certificate')),
            ],
        ),
        migrations.CreateModel(
            name='Recharge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.CharField(max_length=24, unique=True, verbose_name='number')),
                ('amount', models.DecimalField(decimal_places=2, max_digits=12, verbose_name='amount')),
                ('source', models.CharField(blank=True, max_length=16, verbose_name='source')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='begun at')),
                ('customer', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='recharges', to='accounts.customer', verbose_name='customer')),
            ],
            options={
                'verbose_name': 'top-up',
                'verbose_name_plural': 'top-ups',
                'ordering': ['-id'],
            },
        ),
        migrations.AddField(
            model_name='payment',
            name='recharge',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='payments', to='payments.recharge', verbose_name='top-up'),
        ),
        migrations.CreateModel(
            name='Refund',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reference', models.CharField(blank=True, db_default='', default='', max_length=60, verbose_name='refund number')),
                ('amount', models.DecimalField(decimal_places=2, max_digits=12, verbose_name='amount')),
                ('currency', models.CharField(db_default='AUD', default='AUD', max_length=3, verbose_name='currency')),
                ('reason', models.CharField(choices=[('paid_twice', 'Paid twice'), ('overpaid', 'More than was owing'), ('order_canceled', 'Paid after the order was cancelled'), ('order_ended', 'The order ended before it was paid in full'), ('account_deleted', 'The account was deleted before its top-up was paid'), ('wrong_amount', 'Not the amount asked for'), ('wrong_currency', 'Not the currency asked for'), ('order_refund', 'Refund of the order'), ('chargeback', 'Taken back by the bank'), ('not_in_wallet', 'Taken back by the bank, no longer in the wallet')], max_length=20, verbose_name='reason')),
                ('to', models.CharField(choices=[('source', 'The way it came'), ('wallet', 'The wallet')], db_default='source', default='source', max_length=6, verbose_name='goes to')),
                ('state', models.CharField(choices=[('due', 'Due'), ('sending', 'On its way'), ('done', 'Done'), ('failed', 'Failed')], default='due', max_length=8, verbose_name='state')),
                ('note', models.CharField(blank=True, db_default='', default='', max_length=200, verbose_name='note')),
                ('provider_ref', models.CharField(blank=True, db_default='', default='', max_length=80, verbose_name='number at the provider')),
                ('detail', models.CharField(blank=True, db_default='', default='', max_length=200, verbose_name='answer of the provider')),
                ('message_due', models.BooleanField(db_default=False, default=True, editable=False)),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='due since')),
                ('sent_at', models.DateTimeField(null=True, verbose_name='first sent at')),
                ('settled_at', models.DateTimeField(null=True, verbose_name='outcome known at')),
                ('next_query_at', models.DateTimeField(null=True, verbose_name='provider is asked again at')),
                ('queries', models.PositiveSmallIntegerField(db_default=0, default=0, verbose_name='times the provider was asked')),
                ('payment', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='refunds', to='payments.payment', verbose_name='payment')),
                ('staff', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by')),
            ],
            options={
                'verbose_name': 'refund',
                'verbose_name_plural': 'refund payments',
                'ordering': ['-id'],
            },
        ),
        migrations.AddIndex(
            model_name='certificate',
            index=models.Index(condition=models.Q(('order__isnull', False)), fields=['order', 'id'], name='certificate_of_order'),
        ),
        migrations.AddIndex(
            model_name='certificate',
            index=models.Index(condition=models.Q(('state', 'waiting')), fields=['id'], name='certificate_waiting'),
        ),
        migrations.AddIndex(
            model_name='certificate',
            index=models.Index(condition=models.Q(('message_due', True)), fields=['id'], name='certificate_untold'),
        ),
        migrations.AddConstraint(
            model_name='certificate',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('order', None), ('state', 'uploaded')), models.Q(models.Q(('state', 'uploaded'), _negated=True), ('order__isnull', False)), _connector='OR'), name='certificate_of_no_order_is_uploaded'),
        ),
        migrations.AddConstraint(
            model_name='certificate',
            constraint=models.CheckConstraint(condition=models.Q(('first_approver', None), ('reviewed_by', None), models.Q(('state', 'approved'), _negated=True), models.Q(('first_approver', models.F('reviewed_by')), _negated=True), _connector='OR'), name='certificate_approved_by_two'),
        ),
        migrations.AddConstraint(
            model_name='certificate',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'waiting')), fields=('order',), name='one_waiting_certificate_per_order'),
        ),
        migrations.AddConstraint(
            model_name='paymentevent',
            constraint=models.UniqueConstraint(fields=('provider', 'event_id'), name='one_event_per_id'),
        ),
        migrations.AddConstraint(
            model_name='paytype',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('from_amount', None), ('from_amount__gte', 0), _connector='OR'), models.Q(('to_amount', None), ('to_amount__gt', 0), _connector='OR'), models.Q(('from_amount', None), ('to_amount', None), ('to_amount__gte', models.F('from_amount')), _connector='OR')), name='pay_type_amounts_in_order', violation_error_message='The largest amount cannot be below the smallest one.'),
        ),
        migrations.AddConstraint(
            model_name='paytype',
            constraint=models.CheckConstraint(condition=models.Q(('for_domestic', True), ('for_abroad', True), ('for_pickup', True), _connector='OR'), name='pay_type_for_something', violation_error_message='Tick at least one delivery method, or switch the payment method off.'),
        ),
        migrations.AddConstraint(
            model_name='pictureband',
            constraint=models.UniqueConstraint(fields=('value', 'certificate'), name='one_row_per_band'),
        ),
        migrations.AddIndex(
            model_name='recharge',
            index=models.Index(fields=['customer', '-id'], name='recharge_of_customer'),
        ),
        migrations.AddConstraint(
            model_name='recharge',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='recharge_amount_positive'),
        ),
        migrations.AddIndex(
            model_name='payment',
            index=models.Index(condition=models.Q(('next_query_at__isnull', False)), fields=['next_query_at'], name='payment_query_due'),
        ),
        migrations.AddIndex(
            model_name='payment',
            index=models.Index(condition=models.Q(('overdue_at__isnull', False), ('state', 'pending')), fields=['overdue_at'], name='payment_overdue'),
        ),
        migrations.AddIndex(
            model_name='payment',
            index=models.Index(condition=models.Q(('recharge__isnull', False)), fields=['recharge'], name='payment_of_recharge'),
        ),
        migrations.AddIndex(
            model_name='payment',
            index=models.Index(condition=models.Q(('is_held', True)), fields=['order'], name='payment_held'),
        ),
        migrations.AddConstraint(
            model_name='payment',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='payment_amount_positive'),
        ),
        migrations.AddConstraint(
            model_name='payment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('order', None), ('recharge__isnull', False)), models.Q(('order__isnull', False), ('recharge', None)), _connector='OR'), name='payment_of_order_or_recharge'),
        ),
        migrations.AddConstraint(
            model_name='payment',
            constraint=models.CheckConstraint(condition=models.Q(('refunded__gte', 0), ('refunded__lte', django.db.models.functions.comparison.Coalesce(models.F('received_amount'), models.F('amount')))), name='payment_refunded_within_collected'),
        ),
        migrations.AddConstraint(
            model_name='payment',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'pending')), fields=('order', 'pay_type', 'amount'), name='one_open_attempt_per_amount'),
        ),
        migrations.AddIndex(
            model_name='refund',
            index=models.Index(condition=models.Q(('message_due', True), ('state', 'done')), fields=['id'], name='refund_untold'),
        ),
        migrations.AddIndex(
            model_name='refund',
            index=models.Index(fields=['payment'], name='refund_of_payment'),
        ),
        migrations.AddIndex(
            model_name='refund',
            index=models.Index(condition=models.Q(('next_query_at__isnull', False)), fields=['next_query_at'], name='refund_query_due'),
        ),
        migrations.AddIndex(
            model_name='refund',
            index=models.Index(condition=models.Q(('state', 'done'), _negated=True), fields=['id'], name='refund_not_done'),
        ),
        migrations.AddConstraint(
            model_name='refund',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='refund_amount_positive'),
        ),
        migrations.AddConstraint(
            model_name='refund',
            constraint=models.UniqueConstraint(condition=models.Q(('reference', ''), _negated=True), fields=('reference',), name='one_refund_per_reference'),
        ),
        migrations.AddConstraint(
            model_name='refund',
            constraint=models.UniqueConstraint(condition=models.Q(('reason__in', ['order_refund', 'chargeback']), _negated=True), fields=('payment', 'reason'), name='one_automatic_refund'),
        ),
        migrations.RunPython(add_pay_types, migrations.RunPython.noop),
    ]
