/*
 * Writes what is specific to glTF and Ragdoll files: the dialect of the physics and the program that wrote
 * the file, meshes and animations, losses while reading, and violations of the OMI specification.
 */
#include "info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limit of losses that text lists. The counts include all of them, and JSON lists all. */
enum { LOSSES_SHOWN = 40, RULES_MAX = 1000 };

/* Writes dialect, generator, numbers of nodes, meshes and skins, and the animations of a file. */
static void write_file(facts *f, const mmd_exchange *document)
{
    static const char *const dialects[] = {"none", "KHR seed", "KHR current", "OMI seed", "OMI newer"};
    bool is_ragdoll = document->format == MMD_EXCHANGE_RAGDOLL;
    emitter *j = &f->json;
    facts_open(f, "interchange", "exchange format");
    facts_text(f, "dialect", "dialect", is_ragdoll ? "ragdoll-1.0" : dialects[document->dialect]);
    facts_text(f, "generator", "generator", document->generator);
    if (document->format == MMD_EXCHANGE_GLTF) {
        facts_whole(f, "nodes", "nodes", mmd_exchange_list_size(document, "nodes"));
        facts_whole(f, "meshes", "meshes", mmd_exchange_list_size(document, "meshes"));
        facts_whole(f, "skins", "skins", mmd_exchange_list_size(document, "skins"));
    }
    facts_list_open(f, "animations", "animations", document->animation_count);
    for (uint32_t i = 0; i < document->animation_count; i++) {
        const mmd_animation *animation = &document->animations[i];
        if (f->as_json) {
            emit_open(j, '{');
            emit_member_text(j, "name", animation->name);
            emit_member_real(j, "seconds", (double)animation->seconds);
            emit_member_whole(j, "channels", animation->channel_count);
            emit_close(j, '}');
        } else {
            facts_item(f, "%u %.800s: %.6g s, %u channels", i, animation->name, (double)animation->seconds,
                       animation->channel_count);
        }
    }
    facts_list_close(f);
    facts_close(f);
}

/* ---------------------------------------------------------------- losses */

static int compare_codes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Writes the number of losses with each code. */
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

/* Writes the losses while reading the file. */
static void write_losses(facts *f, const mmd_losses *losses)
{
    static const char *const severities[] = {"info", "approximated", "dropped"};
    uint64_t more = (uint64_t)losses->left_out[0] + losses->left_out[1] + losses->left_out[2];
    if (f->as_json) {
        emitter *j = &f->json;
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
    if (f->as_json || more)
        facts_whole(f, "more_losses", "further losses", more);
    if (f->as_json)
        return;
    bool some = losses->count > LOSSES_SHOWN;
    size_t shown = some ? LOSSES_SHOWN : losses->count;
    if (some)
        write_codes(f, losses);
    facts_list_open(f, "losses", some ? "first losses" : "losses", shown);
    for (size_t i = 0; i < shown; i++) {
        char text[MMD_LOSS_TEXT_MAX];
        facts_item(f, "%s", mmd_loss_text(&losses->items[i], text));
    }
    facts_list_close(f);
}

/* ----------------------------------------------------------------- rules */

/* Violations of the OMI specification, at most RULES_MAX. */
typedef struct rule_list {
    mmd_arena arena;
    const char **items;
    size_t count;
} rule_list;

/* Stores a violation (mmd_rule_function). */
static void store_rule(void *context, const char *location, const char *what)
{
    rule_list *list = context;
    char text[256];
    int length = snprintf(text, sizeof text, "%s: %s", location, what);
    const char *stored = list->count < RULES_MAX ? mmd_arena_text(&list->arena, text, (size_t)length) : NULL;
    if (stored)
        list->items[list->count++] = stored;
}

/* Writes what the OMI specification forbids in the file. */
static void write_rules(facts *f, const mmd_exchange *document)
{
    rule_list list = {.items = mmd_alloc(RULES_MAX * sizeof *list.items)};
    if (!list.items)
        return;
    mmd_exchange_check_omi(document, store_rule, &list);
    facts_list_open(f, "omi_forbidden", "violations of OMI", list.count);
    for (size_t i = 0; i < list.count; i++)
        facts_item_text(f, list.items[i]);
    facts_list_close(f);
    mmd_arena_finish(&list.arena);
    mmd_free(list.items);
}

void info_exchange(facts *f, const mmd_exchange *document, const mmd_texture_location *location)
{
    info_model(f, document->model, location);
    write_file(f, document);
    write_losses(f, &document->losses);
    write_rules(f, document);
}
