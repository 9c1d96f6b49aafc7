import django.core.validators
import django.db.models.deletion
import modelcluster.fields
import wagtail.fields
import wagtail.models.preview
from django.conf import settings
from django.db import migrations, models

WINDOWS = {"carouselslide": "slide", "specialarea": "special area"}
EDITORS, MODERATORS = "Editors", "Moderators"
GRANTED = {EDITORS: ("add", "change"), MODERATORS: ("add", "change", "delete", "publish", "lock", "unlock")}


def permission(apps, model, action):
    ContentType = apps.get_model("contenttypes", "ContentType")
    Permission = apps.get_model("auth", "Permission")
    kind, _made = ContentType.objects.get_or_create(app_label="content", model=model)
    found, _made = Permission.objects.get_or_create(
        content_type=kind,
        codename=f"{action}_{model}",
        defaults={"name": f"Can {action} {WINDOWS[model]}"},
    )
    return found


def grant(apps, schema_editor):
    Group = apps.get_model("auth", "Group")
    Permission = apps.get_model("auth", "Permission")
    ContentType = apps.get_model("contenttypes", "ContentType")
    for group_name, actions in GRANTED.items():
        group, _made = Group.objects.get_or_create(name=group_name)
        group.permissions.add(
            Permission.objects.get(content_type__app_label="wagtail_localize", codename="submit_translation"),
            *(permission(apps, model, action) for model in WINDOWS for action in actions),
        )
    # What editors submit goes the way that Wagtail sets up for pages: a moderator approves it.
    WorkflowContentType = apps.get_model("wagtailcore", "WorkflowContentType")
    task = apps.get_model("wagtailcore", "WorkflowTask").objects.order_by("pk").first()
    for model in WINDOWS:
        kind = ContentType.objects.get(app_label="content", model=model)
        if task is not None:
            WorkflowContentType.objects.get_or_create(content_type=kind, defaults={"workflow": task.workflow})


# What Wagtail calls its first workflow with its step, the root of pages and that of collections: data, so no
# catalogue has a text for it. Names that the shop has given stay.
NAMES = {
    ("Workflow", "name"): ("Moderators approval", "Approval 审核"),
    ("Task", "name"): ("Moderators approval", "Approval 审核"),
    ("Collection", "name"): ("Root", "All 全部"),
    ("Page", "title"): ("Root", "Pages 页面"),
    ("Page", "draft_title"): ("Root", "Pages 页面"),
}


def rename(apps, schema_editor):
    for (model, field), (before, after) in NAMES.items():
        rows = apps.get_model("wagtailcore", model).objects.using(schema_editor.connection.alias)
        if model in {"Collection", "Page"}:
            rows = rows.filter(depth=1)
        rows.filter(**{field: before}).update(**{field: after})


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ("wagtail_localize", "0016_rename_page_revision_translationlog_revision"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ('goods', '0001_initial'),
        ('promotions', '0001_initial'),
        ('wagtailcore', '0097_baselogentry_uuid_action_timestamp_indexes'),
        ('wagtailimages', '0027_image_description'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='HomePage',
            fields=[
                ('page_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='wagtailcore.page')),
                ('body', wagtail.fields.StreamField([('hero', 10), ('category_rail', 12), ('promotion', 13), ('special_areas', 12), ('picked_goods', 16), ('category_showcase', 18), ('popular_brands', 20), ('promises', 25), ('text', 26)], blank=True, block_lookup={0: ('content.carousels.CarouselBlock', (), {'default': 4, 'help_text': 'Its slides are written under “Shop windows”; without one there are only tiles.', 'label': 'carousel'}), 1: ('wagtail.blocks.CharBlock', (), {'label': 'title', 'max_length': 40}), 2: ('wagtail.blocks.CharBlock', (), {'label': 'text', 'max_length': 90, 'required': False}), 3: ('wagtail.blocks.CharBlock', (), {'label': 'label', 'max_length': 40}), 4: ('content.shoplinks.ShopPathBlock', (), {'label': 'path'}), 5: ('wagtail.blocks.StructBlock', [[('label', 3), ('path', 4)]], {'label': 'link'}), 6: ('wagtail.images.blocks.ImageBlock', [], {'label': 'picture'}), 7: ('wagtail.blocks.ChoiceBlock', [], {'choices': [('mint', 'mint'), ('peach', 'peach'), ('sky', 'sky')], 'label': 'colour'}), 8: ('wagtail.blocks.StructBlock', [[('title', 1), ('text', 2), ('link', 5), ('picture', 6), ('tone', 7)]], {}), 9: ('wagtail.blocks.ListBlock', (8,), {'help_text': 'They appear next to the carousel, on a phone below it.', 'label': 'side tiles', 'max_num': 2, 'min_num': 2}), 10: ('wagtail.blocks.StructBlock', [[('carousel', 0), ('tiles', 9)]], {}), 11: ('wagtail.blocks.CharBlock', (), {'label': 'heading', 'max_length': 60}), 12: ('wagtail.blocks.StructBlock', [[('heading', 11)]], {}), 13: ('content.blocks.PromotionBlock', (), {}), 14: ('content.choosers.GoodsChooserBlock', (), {}), 15: ('wagtail.blocks.ListBlock', (14,), {'label': 'products', 'max_num': 24, 'min_num': 1}), 16: ('wagtail.blocks.StructBlock', [[('heading', 11), ('goods', 15)]], {}), 17: ('wagtail.blocks.IntegerBlock', (), {'default': 5, 'label': 'products in each', 'max_value': 10, 'min_value': 1}), 18: ('wagtail.blocks.StructBlock', [[('goods_each', 17)]], {}), 19: ('wagtail.blocks.IntegerBlock', (), {'default': 12, 'label': 'brands at most', 'max_value': 24, 'min_value': 2}), 20: ('wagtail.blocks.StructBlock', [[('heading', 11), ('count', 19)]], {}), 21: ('wagtail.blocks.ChoiceBlock', [], {'choices': [('truck', 'truck'), ('store', 'shop'), ('credit-card', 'card'), ('message-circle', 'speech bubble')], 'label': 'symbol'}), 22: ('wagtail.blocks.CharBlock', (), {'label': 'text', 'max_length': 60}), 23: ('wagtail.blocks.StructBlock', [[('symbol', 21), ('title', 1), ('text', 22)]], {}), 24: ('wagtail.blocks.ListBlock', (23,), {'label': 'promises', 'max_num': 4, 'min_num': 1}), 25: ('wagtail.blocks.StructBlock', [[('promises', 24)]], {}), 26: ('content.richtext.TextBlock', (), {'description': 'Headings, paragraphs, lists and links, as wide as reads well.', 'features': ['h2', 'h3', 'bold', 'italic', 'link', 'ol', 'ul', 'hr'], 'icon': 'pilcrow', 'label': 'Text', 'template': 'content/blocks/home_text.html'})}, verbose_name='body')),
            ],
            options={
                'verbose_name': 'home page',
                'verbose_name_plural': 'home pages',
            },
            bases=('wagtailcore.page',),
        ),
        migrations.CreateModel(
            name='InformationPage',
            fields=[
                ('page_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='wagtailcore.page')),
                ('intro', models.CharField(blank=True, help_text='One or two sentences under the title; search engines show them too.', max_length=300, verbose_name='introduction')),
                ('body', wagtail.fields.StreamField([('text', 0), ('picture', 1), ('question', 4)], blank=True, block_lookup={0: ('content.richtext.TextBlock', (), {'features': ['h2', 'h3', 'bold', 'italic', 'link', 'ol', 'ul', 'hr'], 'label': 'Text', 'template': 'content/blocks/text.html'}), 1: ('wagtail.images.blocks.ImageBlock', [], {'label': 'Picture', 'template': 'content/blocks/picture.html'}), 2: ('wagtail.blocks.CharBlock', (), {'label': 'question', 'max_length': 200}), 3: ('content.richtext.TextBlock', (), {'features': ['bold', 'italic', 'link', 'ol', 'ul'], 'label': 'answer'}), 4: ('wagtail.blocks.StructBlock', [[('question', 2), ('answer', 3)]], {})}, verbose_name='body')),
            ],
            options={
                'verbose_name': 'information page',
                'verbose_name_plural': 'information pages',
            },
            bases=('wagtailcore.page',),
        ),
        migrations.CreateModel(
            name='CarouselSlide',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('live', models.BooleanField(default=True, editable=False, verbose_name='live')),
                ('has_unpublished_changes', models.BooleanField(default=False, editable=False, verbose_name='has unpublished changes')),
                ('first_published_at', models.DateTimeField(blank=True, db_index=True, null=True, verbose_name='first published at')),
                ('last_published_at', models.DateTimeField(editable=False, null=True, verbose_name='last published at')),
                ('go_live_at', models.DateTimeField(blank=True, null=True, verbose_name='go live date/time')),
                ('expire_at', models.DateTimeField(blank=True, null=True, verbose_name='expiry date/time')),
                ('expired', models.BooleanField(default=False, editable=False, verbose_name='expired')),
                ('locked', models.BooleanField(default=False, editable=False, verbose_name='locked')),
                ('locked_at', models.DateTimeField(editable=False, null=True, verbose_name='locked at')),
                ('carousel', models.PositiveSmallIntegerField(default=4, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(99)], verbose_name='carousel')),
                ('sort', models.PositiveSmallIntegerField(help_text='1 is the slide that is seen first.', validators=[django.core.validators.MaxValueValidator(9999)], verbose_name='place in the carousel')),
                ('title_en', models.CharField(max_length=60, verbose_name='title, English')),
                ('title_zh', models.CharField(max_length=60, verbose_name='title, Chinese')),
                ('text_en', models.CharField(blank=True, max_length=140, verbose_name='text, English')),
                ('text_zh', models.CharField(blank=True, max_length=140, verbose_name='text, Chinese')),
                ('label_en', models.CharField(max_length=40, verbose_name='button, English')),
                ('label_zh', models.CharField(max_length=40, verbose_name='button, Chinese')),
                ('path', models.CharField(help_text='Where the button leads. Choose a page of the shop, or write its path without the language.', max_length=200, validators=[django.core.validators.RegexValidator('^/(?!/)[^\\s\\\\]*$', 'Write a path of this shop that begins with a slash.')], verbose_name='path')),
                ('tone', models.CharField(choices=[('cobalt', 'cobalt'), ('jade', 'jade'), ('plum', 'plum')], default='cobalt', max_length=10, verbose_name='colour')),
                ('layout', models.CharField(choices=[('plate', 'Cut-outs on a plate'), ('full', 'Full picture, with the text over it')], db_default='plate', default='plate', max_length=10, verbose_name='layout')),
                ('latest_revision', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='wagtailcore.revision', verbose_name='latest revision')),
                ('live_revision', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='wagtailcore.revision', verbose_name='live revision')),
                ('locked_by', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='locked_%(class)ss', to=settings.AUTH_USER_MODEL, verbose_name='locked by')),
            ],
            options={
                'verbose_name': 'slide',
                'verbose_name_plural': 'slides',
                'ordering': ['carousel', 'sort', 'id'],
            },
            bases=(wagtail.models.preview.PreviewableMixin, models.Model),
        ),
        migrations.CreateModel(
            name='Creation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('form', models.CharField(max_length=64)),
                ('url', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True, db_index=True)),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='ShopSettings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name_en', models.CharField(default='Shop', max_length=60, verbose_name='English name')),
                ('name_zh', models.CharField(default='商店', max_length=60, verbose_name='Chinese name')),
                ('tagline_en', models.CharField(blank=True, max_length=160, verbose_name='one sentence about the shop, English')),
                ('tagline_zh', models.CharField(blank=True, max_length=160, verbose_name='one sentence about the shop, Chinese')),
                ('legal_name', models.CharField(blank=True, max_length=120, verbose_name='legal name')),
                ('abn', models.CharField(blank=True, max_length=20, verbose_name='ABN')),
                ('address', models.CharField(blank=True, max_length=200, verbose_name='address')),
                ('phone', models.CharField(blank=True, max_length=40, verbose_name='phone')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email')),
                ('wechat', models.CharField(blank=True, db_default='', default='', max_length=60, verbose_name='WeChat ID')),
                ('bank_bank', models.CharField(blank=True, db_default='', default='', max_length=80, verbose_name='bank')),
                ('bank_holder', models.CharField(blank=True, db_default='', default='', max_length=120, verbose_name='account name')),
                ('bank_bsb', models.CharField(blank=True, db_default='', default='', max_length=10, verbose_name='BSB')),
                ('bank_number', models.CharField(blank=True, db_default='', default='', max_length=40, verbose_name='account number')),
                ('bank_swift', models.CharField(blank=True, db_default='', default='', max_length=11, verbose_name='SWIFT code')),
                ('wechat_qr', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='wagtailimages.image', verbose_name='WeChat code to scan')),
            ],
            options={
                'verbose_name': 'shop settings',
            },
        ),
        migrations.CreateModel(
            name='SlidePicture',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('alt_en', models.CharField(blank=True, help_text='Read out to people who do not see the picture.', max_length=120, verbose_name='what it shows, English')),
                ('alt_zh', models.CharField(blank=True, max_length=120, verbose_name='what it shows, Chinese')),
                ('decorative', models.BooleanField(default=False, help_text='The slide’s text is enough: nothing is read out.', verbose_name='decorative')),
                ('sort_order', models.IntegerField(blank=True, editable=False, null=True)),
                ('picture', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='wagtailimages.image', verbose_name='picture')),
                ('slide', modelcluster.fields.ParentalKey(on_delete=django.db.models.deletion.CASCADE, related_name='pictures', to='content.carouselslide')),
            ],
            options={
                'verbose_name': 'picture',
                'verbose_name_plural': 'pictures',
                'ordering': ['sort_order'],
            },
        ),
        migrations.CreateModel(
            name='SpecialArea',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('live', models.BooleanField(default=True, editable=False, verbose_name='live')),
                ('has_unpublished_changes', models.BooleanField(default=False, editable=False, verbose_name='has unpublished changes')),
                ('first_published_at', models.DateTimeField(blank=True, db_index=True, null=True, verbose_name='first published at')),
                ('last_published_at', models.DateTimeField(editable=False, null=True, verbose_name='last published at')),
                ('go_live_at', models.DateTimeField(blank=True, null=True, verbose_name='go live date/time')),
                ('expire_at', models.DateTimeField(blank=True, null=True, verbose_name='expiry date/time')),
                ('expired', models.BooleanField(default=False, editable=False, verbose_name='expired')),
                ('locked', models.BooleanField(default=False, editable=False, verbose_name='locked')),
                ('locked_at', models.DateTimeField(editable=False, null=True, verbose_name='locked at')),
                ('name_en', models.CharField(max_length=200, verbose_name='English name')),
                ('name_zh', models.CharField(max_length=200, verbose_name='Chinese name')),
                ('text_en', models.CharField(blank=True, max_length=120, verbose_name='text, English')),
                ('text_zh', models.CharField(blank=True, max_length=120, verbose_name='text, Chinese')),
                ('tint', models.CharField(default='#E6F4E1', max_length=7, validators=[django.core.validators.RegexValidator('^#[0-9A-Fa-f]{6}$', 'Write a colour such as #E6F4E1.')], verbose_name='background colour')),
                ('checked', models.BooleanField(default=True, help_text='Otherwise it is in the list of all areas only.', verbose_name='on the home page')),
                ('sort', models.PositiveSmallIntegerField(default=0, help_text='The lowest number comes first.', validators=[django.core.validators.MaxValueValidator(9999)], verbose_name='place in the list')),
                ('rule', models.CharField(choices=[('picked', 'Products picked by hand, in their order'), ('brand', 'All products of a brand'), ('category', 'All products of a category'), ('promotion', 'All products of a promotion, while it runs'), ('tag', 'All products that have a tag')], default='picked', max_length=10, verbose_name='products')),
                ('brand', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='goods.brand', verbose_name='brand')),
                ('category', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='goods.category', verbose_name='category')),
                ('latest_revision', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='wagtailcore.revision', verbose_name='latest revision')),
                ('live_revision', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='wagtailcore.revision', verbose_name='live revision')),
                ('locked_by', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='locked_%(class)ss', to=settings.AUTH_USER_MODEL, verbose_name='locked by')),
                ('picture', models.ForeignKey(help_text='On the area’s tile; shown whole, nothing is cut off. The name next to it explains what it is.', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wagtailimages.image', verbose_name='picture')),
                ('promotion', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='special_areas', to='promotions.promotion', verbose_name='promotion')),
                ('tag', models.ForeignKey(blank=True, help_text='Products get their tags under Catalogue, in the form of each product.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='goods.producttag', verbose_name='tag')),
            ],
            options={
                'verbose_name': 'special area',
                'verbose_name_plural': 'special areas',
                'ordering': ['sort', 'id'],
            },
            bases=(wagtail.models.preview.PreviewableMixin, models.Model),
        ),
        migrations.CreateModel(
            name='AreaGood',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sort_order', models.IntegerField(blank=True, editable=False, null=True)),
                ('product', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='area_places', to='goods.product', verbose_name='product')),
                ('area', modelcluster.fields.ParentalKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='picked', to='content.specialarea')),
            ],
            options={
                'verbose_name': 'product',
                'verbose_name_plural': 'products',
                'ordering': ['sort_order'],
            },
        ),
        migrations.AddConstraint(
            model_name='carouselslide',
            constraint=models.UniqueConstraint(fields=('carousel', 'sort'), name='one_slide_per_place', violation_error_message='Another slide already has this place in the carousel.'),
        ),
        migrations.AddConstraint(
            model_name='creation',
            constraint=models.UniqueConstraint(fields=('user', 'form'), name='one_creation_per_form'),
        ),
        migrations.AddConstraint(
            model_name='areagood',
            constraint=models.UniqueConstraint(fields=('area', 'product'), name='good_once_per_area'),
        ),
        migrations.RunPython(grant, migrations.RunPython.noop),
        migrations.RunPython(rename, migrations.RunPython.noop),
    ]
