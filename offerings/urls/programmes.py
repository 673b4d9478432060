from django.urls import path

from offerings.views import demands, fund_rules, programme_lists, programmes, stages

PROGRAMME = "programas/<slug:slug>/"
STAGE = PROGRAMME + "etapas/<int:number>/"
RULES = PROGRAMME + "reglamento/<int:version>/"

urlpatterns = [
    path("programas/", programme_lists.programme_list, name="programmes"),
    path(
        "programas/exportar.<str:kind>",
        programme_lists.programmes_export,
        name="programmes_export",
    ),
    path("programas/nuevo/", programmes.programme_new, name="programme_open"),
    path(PROGRAMME, programmes.programme_detail, name="programme"),
    path(PROGRAMME + "decreto/", programmes.programme_decree, name="programme_decree"),
    path(PROGRAMME + "avisos/nuevo/", programmes.notice_new, name="notice_new"),
    path(PROGRAMME + "creditos/nuevo/", programmes.credit_line_new, name="credit_line_new"),
    path(PROGRAMME + "reglamento/", fund_rules.rules_latest, name="fund_rules"),
    path(RULES, fund_rules.rules_detail, name="fund_rules_version"),
    path(RULES + "editar/", fund_rules.rules_edit, name="fund_rules_edit"),
    path(RULES + "enviar/", fund_rules.rules_submit, name="fund_rules_submit"),
    path(RULES + "revisar/", fund_rules.rules_review, name="fund_rules_review"),
    path(STAGE + "abrir/", stages.stage_open_view, name="stage_open"),
    path(STAGE + "cerrar/", stages.stage_close_view, name="stage_close"),
    path(STAGE + "demanda-por-<str:by>.<str:kind>", demands.demand_file, name="stage_demand"),
]
