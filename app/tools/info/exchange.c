/*
 * What `odori info` says of files of interchange beside what it says of any
 * model: in which dialect physics is written and by whom, what the file calls
 * meshes and animations, what was read otherwise than it stands, and what its
 * own specification forbids.
 */
#include "info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Losses that people are shown one by one; the counts have all of them, and JSON every one. */
enum { LOSSES_SHOWN = 40, RULES_MAX = 1000 };

static const char *const severities[] = {"info", "approximated", "dropped"};

static const char *dialect_name(const mmd_exchange *document)
{
    static const char *const names[] = {"none", "KHR seed", "KHR current", "OMI seed", "OMI newer"};
    return document->format == MMD_EXCHANGE_RAGDOLL ? "ragdoll-1.0" : names[document->dialect];
}

static const char *animation_text(const void *user, size_t index, char *buffer, size_t capacity)
{
    const mmd_animation *animation = &((const mmd_exchange *)user)->animations[index];
    snprintf(buffer, capacity, "%zu %.800s: %.6g s, %u channels", index, animation->name,
             (double)animation->seconds, animation->channel_count);
    return buffer;
}

static void emit_animations(emitter *j, const mmd_exchange *document)
{
    emit_key(j, "animations");
    emit_open(j, '[');
    for (uint32_t i = 0; i < document->animation_count; i++) {
        const mmd_animation *animation = &document->animations[i];
        emit_open(j, '{');
        emit_member_text(j, "name", animation->name);
        emit_member_real(j, "seconds", (double)animation->seconds);
        emit_member_whole(j, "channels", animation->channel_count);
        emit_close(j, '}');
    }
    emit_close(j, ']');
}

static void write_file(facts *f, const mmd_exchange *document)
{
    facts_open(f, "interchange", "interchange");
    facts_text(f, "dialect", "dialect", dialect_name(document));
    facts_text(f, "generator", "generator", document->generator);
    if (document->format == MMD_EXCHANGE_GLTF) {
        facts_whole(f, "nodes", "nodes", mmd_exchange_list_size(document, "nodes"));
        facts_whole(f, "meshes", "meshes", mmd_exchange_list_size(document, "meshes"));
        facts_whole(f, "skins", "skins", mmd_exchange_list_size(document, "skins"));
    }
    if (f->as_json)
        emit_animations(&f->json, document);
    else
        facts_write_list(f, &(facts_list){"animations", "animations", document->animation_count,
                                          animation_text, document});
    facts_close(f);
}

/* ---------------------------------------------------------------- losses */

static const char *loss_text(const void *user, size_t index, char *buffer, size_t capacity)
{
    char text[LOSS_TEXT_MAX];
    snprintf(buffer, capacity, "%s", model_loss_text(&((const mmd_losses *)user)->items[index], text));
    return buffer;
}

static void emit_losses(emitter *j, const mmd_losses *losses)
{
    emit_key(j, "losses");
    emit_open(j, '[');
    for (uint32_t i = 0; i < losses->count; i++) {
        const mmd_loss *loss = &losses->items[i];
        emit_open(j, '{');
        emit_member_text(j, "severity", severities[loss->severity]);
        emit_member_text(j, "code", loss->code);
        emit_member_text(j, "path", loss->path);
        emit_member_text(j, "field", loss->field);
        emit_member_text(j, "source", loss->source);
        emit_member_text(j, "emitted", loss->emitted);
        emit_close(j, '}');
    }
    emit_close(j, ']');
}

static int compare_codes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* How many there are of each code. */
static void write_codes(facts *f, const mmd_losses *losses)
{
    const char **codes = losses->count ? mmd_alloc(losses->count * sizeof *codes) : NULL;
    if (!codes)
        return;
    for (uint32_t i = 0; i < losses->count; i++)
        codes[i] = losses->items[i].code;
    qsort(codes, losses->count, sizeof *codes, compare_codes);
    facts_open(f, "loss_codes", "losses by code");
    for (uint32_t first = 0, i = 1; i <= losses->count; i++) {
        if (i < losses->count && strcmp(codes[i], codes[first]) == 0)
            continue;
        facts_whole(f, codes[first], codes[first], i - first);
        first = i;
    }
    facts_close(f);
    mmd_free(codes);
}

static void write_losses(facts *f, const mmd_losses *losses)
{
    char title[48] = "losses";
    uint64_t more = (uint64_t)losses->left_out[0] + losses->left_out[1] + losses->left_out[2];
    if (f->as_json)
        emit_losses(&f->json, losses);
    if (f->as_json || more)
        facts_whole(f, "more_losses", "losses beyond those that are kept", more);
    if (f->as_json)
        return;
    if (losses->count > LOSSES_SHOWN)
        write_codes(f, losses);
    if (losses->count > LOSSES_SHOWN)
        snprintf(title, sizeof title, "losses, the first");
    facts_write_list(f, &(facts_list){"losses", title,
                                      losses->count < LOSSES_SHOWN ? losses->count : LOSSES_SHOWN, loss_text,
                                      losses});
}

/* ----------------------------------------------------------------- rules */

typedef struct rule_list {
    mmd_arena arena;
    const char **items;
    size_t count;
} rule_list;

static void keep_rule(void *context, const char *place, const char *what)
{
    rule_list *list = context;
    char text[256];
    int length = snprintf(text, sizeof text, "%s: %s", place, what);
    const char *kept = list->count < RULES_MAX ? mmd_arena_text(&list->arena, text, (size_t)length) : NULL;
    if (kept)
        list->items[list->count++] = kept;
}

static const char *rule_text(const void *user, size_t index, char *buffer, size_t capacity)
{
    (void)buffer, (void)capacity;
    return ((const rule_list *)user)->items[index];
}

static void write_rules(facts *f, const mmd_exchange *document)
{
    rule_list list = {.items = mmd_alloc(RULES_MAX * sizeof *list.items)};
    if (!list.items)
        return;
    mmd_exchange_check_omi(document, keep_rule, &list);
    facts_write_list(f,
                     &(facts_list){"omi_forbidden", "forbidden by OMI's text", list.count, rule_text, &list});
    mmd_arena_finish(&list.arena);
    mmd_free(list.items);
}

void info_exchange(facts *f, const mmd_exchange *document, const texture_place *place)
{
    info_model(f, document->model, place);
    write_file(f, document);
    write_losses(f, &document->losses);
    write_rules(f, document);
}
