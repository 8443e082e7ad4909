#include "resources.h"

#include <string.h>

// `#embed` belongs to C23. The compiler accepts it in older standards as an extension, and would warn about that.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t access_revoke_mustache[] = {
#embed "../OfferHTTP/Resources/console/access-revoke.mustache"
};
static const uint8_t access_mustache[] = {
#embed "../OfferHTTP/Resources/console/access.mustache"
};
static const uint8_t alone_mustache[] = {
#embed "../OfferHTTP/Resources/console/alone.mustache"
};
static const uint8_t audience_mustache[] = {
#embed "../OfferHTTP/Resources/console/audience.mustache"
};
static const uint8_t event_mustache[] = {
#embed "../OfferHTTP/Resources/console/event.mustache"
};
static const uint8_t events_mustache[] = {
#embed "../OfferHTTP/Resources/console/events.mustache"
};
static const uint8_t audit_mustache[] = {
#embed "../OfferHTTP/Resources/console/audit.mustache"
};
static const uint8_t campaign_confirm_mustache[] = {
#embed "../OfferHTTP/Resources/console/campaign-confirm.mustache"
};
static const uint8_t campaign_edit_mustache[] = {
#embed "../OfferHTTP/Resources/console/campaign-edit.mustache"
};
static const uint8_t campaign_head_mustache[] = {
#embed "../OfferHTTP/Resources/console/campaign-head.mustache"
};
static const uint8_t campaign_history_mustache[] = {
#embed "../OfferHTTP/Resources/console/campaign-history.mustache"
};
static const uint8_t campaign_notes_mustache[] = {
#embed "../OfferHTTP/Resources/console/campaign-notes.mustache"
};
static const uint8_t campaign_results_mustache[] = {
#embed "../OfferHTTP/Resources/console/campaign-results.mustache"
};
static const uint8_t campaign_review_mustache[] = {
#embed "../OfferHTTP/Resources/console/campaign-review.mustache"
};
static const uint8_t campaign_testers_mustache[] = {
#embed "../OfferHTTP/Resources/console/campaign-testers.mustache"
};
static const uint8_t campaigns_mustache[] = {
#embed "../OfferHTTP/Resources/console/campaigns.mustache"
};
static const uint8_t catalogue_mustache[] = {
#embed "../OfferHTTP/Resources/console/catalogue.mustache"
};
static const uint8_t change_mustache[] = {
#embed "../OfferHTTP/Resources/console/change.mustache"
};
static const uint8_t checklist_mustache[] = {
#embed "../OfferHTTP/Resources/console/checklist.mustache"
};
static const uint8_t choose_app_mustache[] = {
#embed "../OfferHTTP/Resources/console/choose-app.mustache"
};
static const uint8_t console_css[] = {
#embed "../OfferHTTP/Resources/console/console.css"
};
static const uint8_t console_js[] = {
#embed "../OfferHTTP/Resources/console/console.js"
};
static const uint8_t field_mustache[] = {
#embed "../OfferHTTP/Resources/console/field.mustache"
};
static const uint8_t key_change_mustache[] = {
#embed "../OfferHTTP/Resources/console/key-change.mustache"
};
static const uint8_t keys_mustache[] = {
#embed "../OfferHTTP/Resources/console/keys.mustache"
};
static const uint8_t layout_mustache[] = {
#embed "../OfferHTTP/Resources/console/layout.mustache"
};
static const uint8_t overview_mustache[] = {
#embed "../OfferHTTP/Resources/console/overview.mustache"
};
static const uint8_t problem_mustache[] = {
#embed "../OfferHTTP/Resources/console/problem.mustache"
};
static const uint8_t prose_mustache[] = {
#embed "../OfferHTTP/Resources/console/prose.mustache"
};
static const uint8_t reach_mustache[] = {
#embed "../OfferHTTP/Resources/console/reach.mustache"
};
static const uint8_t read_back_mustache[] = {
#embed "../OfferHTTP/Resources/console/read-back.mustache"
};
static const uint8_t reference_body_mustache[] = {
#embed "../OfferHTTP/Resources/console/reference-body.mustache"
};
static const uint8_t reference_table_mustache[] = {
#embed "../OfferHTTP/Resources/console/reference-table.mustache"
};
static const uint8_t reference_mustache[] = {
#embed "../OfferHTTP/Resources/console/reference.mustache"
};
static const uint8_t rich_text_mustache[] = {
#embed "../OfferHTTP/Resources/console/rich-text.mustache"
};
static const uint8_t segment_mustache[] = {
#embed "../OfferHTTP/Resources/console/segment.mustache"
};
static const uint8_t segments_mustache[] = {
#embed "../OfferHTTP/Resources/console/segments.mustache"
};
static const uint8_t select_mustache[] = {
#embed "../OfferHTTP/Resources/console/select.mustache"
};
static const uint8_t sessions_mustache[] = {
#embed "../OfferHTTP/Resources/console/sessions.mustache"
};
static const uint8_t sign_in_mustache[] = {
#embed "../OfferHTTP/Resources/console/sign-in.mustache"
};
static const uint8_t try_mustache[] = {
#embed "../OfferHTTP/Resources/console/try.mustache"
};
static const uint8_t verify_mustache[] = {
#embed "../OfferHTTP/Resources/console/verify.mustache"
};
static const uint8_t entrance_mustache[] = {
#embed "../OfferHTTP/Resources/console/entrance.mustache"
};
static const uint8_t reference_codes_mustache[] = {
#embed "../OfferHTTP/Resources/console/reference-codes.mustache"
};
static const uint8_t reference_operation_mustache[] = {
#embed "../OfferHTTP/Resources/console/reference-operation.mustache"
};
static const uint8_t reference_css[] = {
#embed "../OfferHTTP/Resources/reference.css"
};

#define RESOURCE(name, bytes) {name, bytes, sizeof bytes}

static const struct rs_resource resources[] = {
    RESOURCE("console/access-revoke.mustache", access_revoke_mustache),
    RESOURCE("console/access.mustache", access_mustache),
    RESOURCE("console/alone.mustache", alone_mustache),
    RESOURCE("console/audience.mustache", audience_mustache),
    RESOURCE("console/event.mustache", event_mustache),
    RESOURCE("console/events.mustache", events_mustache),
    RESOURCE("console/audit.mustache", audit_mustache),
    RESOURCE("console/campaign-confirm.mustache", campaign_confirm_mustache),
    RESOURCE("console/campaign-edit.mustache", campaign_edit_mustache),
    RESOURCE("console/campaign-head.mustache", campaign_head_mustache),
    RESOURCE("console/campaign-history.mustache", campaign_history_mustache),
    RESOURCE("console/campaign-notes.mustache", campaign_notes_mustache),
    RESOURCE("console/campaign-results.mustache", campaign_results_mustache),
    RESOURCE("console/campaign-review.mustache", campaign_review_mustache),
    RESOURCE("console/campaign-testers.mustache", campaign_testers_mustache),
    RESOURCE("console/campaigns.mustache", campaigns_mustache),
    RESOURCE("console/catalogue.mustache", catalogue_mustache),
    RESOURCE("console/change.mustache", change_mustache),
    RESOURCE("console/checklist.mustache", checklist_mustache),
    RESOURCE("console/choose-app.mustache", choose_app_mustache),
    RESOURCE("console/console.css", console_css),
    RESOURCE("console/console.js", console_js),
    RESOURCE("console/field.mustache", field_mustache),
    RESOURCE("console/key-change.mustache", key_change_mustache),
    RESOURCE("console/keys.mustache", keys_mustache),
    RESOURCE("console/layout.mustache", layout_mustache),
    RESOURCE("console/overview.mustache", overview_mustache),
    RESOURCE("console/problem.mustache", problem_mustache),
    RESOURCE("console/prose.mustache", prose_mustache),
    RESOURCE("console/reach.mustache", reach_mustache),
    RESOURCE("console/read-back.mustache", read_back_mustache),
    RESOURCE("console/reference-body.mustache", reference_body_mustache),
    RESOURCE("console/reference-table.mustache", reference_table_mustache),
    RESOURCE("console/reference.mustache", reference_mustache),
    RESOURCE("console/rich-text.mustache", rich_text_mustache),
    RESOURCE("console/segment.mustache", segment_mustache),
    RESOURCE("console/segments.mustache", segments_mustache),
    RESOURCE("console/select.mustache", select_mustache),
    RESOURCE("console/sessions.mustache", sessions_mustache),
    RESOURCE("console/sign-in.mustache", sign_in_mustache),
    RESOURCE("console/try.mustache", try_mustache),
    RESOURCE("console/verify.mustache", verify_mustache),
    RESOURCE("console/entrance.mustache", entrance_mustache),
    RESOURCE("console/reference-codes.mustache", reference_codes_mustache),
    RESOURCE("console/reference-operation.mustache", reference_operation_mustache),
    RESOURCE("reference.css", reference_css),
};

const struct rs_resource *rs_find(const char *name) {
    for (size_t index = 0; index < sizeof resources / sizeof *resources; index++) {
        if (strcmp(resources[index].name, name) == 0) return &resources[index];
    }
    return NULL;
}
