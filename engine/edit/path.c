/* Items: their paths, and their descriptions for messages. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edit_internal.h"

enum { SEGMENT_MAX = 1024 };

bool mmd_item_equal(mmd_item a, mmd_item b)
{
    return a.kind == b.kind && a.model == b.model && a.index == b.index;
}

static const mmd_model *model_of(const mmd_edit *edit, mmd_item item)
{
    return mmd_actor_model(mmd_stage_actor(edit->stage, item.model));
}

uint32_t edit_item_count(const mmd_edit *edit, uint32_t kind, uint32_t model)
{
    assert(edit);
    if (kind == MMD_ITEM_MODEL)
        return edit->stage ? (uint32_t)mmd_stage_actor_count(edit->stage) : 0;
    if (kind == MMD_ITEM_NODE)
        return (uint32_t)edit->node_count;
    const mmd_model *m = model_of(edit, (mmd_item){.model = model});
    if (kind == MMD_ITEM_BONE)
        return m->bone_count;
    if (kind == MMD_ITEM_MORPH)
        return m->morph_count;
    if (kind == MMD_ITEM_BODY)
        return m->physscene ? m->physscene->body_count : m->body_count;
    return m->physscene ? m->physscene->joint_count : m->joint_count;
}

bool mmd_edit_has(const mmd_edit *edit, mmd_item item)
{
    assert(edit);
    bool on_stage = edit->stage && item.model < mmd_stage_actor_count(edit->stage) &&
                    (edit->remaps || mmd_stage_is_present(edit->stage, item.model));
    switch (item.kind) {
    case MMD_ITEM_STAGE:
        return true;
    case MMD_ITEM_MODEL:
    case MMD_ITEM_SWITCHES:
        return on_stage;
    case MMD_ITEM_BONE:
    case MMD_ITEM_BODY:
    case MMD_ITEM_JOINT:
    case MMD_ITEM_MORPH:
        return on_stage && item.index < edit_item_count(edit, item.kind, item.model);
    case MMD_ITEM_CAMERA:
    case MMD_ITEM_LIGHT:
    case MMD_ITEM_SHADOW:
        return edit->stage != NULL;
    case MMD_ITEM_NODE:
        return item.index < edit->node_count && edit->nodes[item.index].name;
    default:
        return false;
    }
}

mmd_item mmd_edit_parent(const mmd_edit *edit, mmd_item item)
{
    assert(edit);
    if (!mmd_edit_has(edit, item) || item.kind == MMD_ITEM_STAGE)
        return (mmd_item){0};
    if (item.kind == MMD_ITEM_NODE)
        return edit->nodes[item.index].parent;
    if (item.kind == MMD_ITEM_BODY || item.kind == MMD_ITEM_JOINT || item.kind == MMD_ITEM_MORPH ||
        item.kind == MMD_ITEM_SWITCHES)
        return (mmd_item){.kind = MMD_ITEM_MODEL, .model = item.model};
    if (item.kind != MMD_ITEM_BONE)
        return (mmd_item){.kind = MMD_ITEM_STAGE};
    int32_t parent = model_of(edit, item)->bones[item.index].parent;
    return parent < 0 ? (mmd_item){.kind = MMD_ITEM_MODEL, .model = item.model}
                      : (mmd_item){.kind = MMD_ITEM_BONE, .model = item.model, .index = (uint32_t)parent};
}

/* --- Names among siblings --- */

const char *edit_item_name(const mmd_edit *edit, mmd_item item)
{
    assert(edit);
    const mmd_model *model = item.kind == MMD_ITEM_NODE ? NULL : model_of(edit, item);
    switch (item.kind) {
    case MMD_ITEM_MODEL:
        return mmd_stage_name(edit->stage, item.model);
    case MMD_ITEM_BONE:
        return model->bones[item.index].name;
    case MMD_ITEM_MORPH:
        return model->morphs[item.index].name;
    case MMD_ITEM_BODY:
        return model->physscene ? model->physscene->bodies[item.index].name : model->bodies[item.index].name;
    case MMD_ITEM_JOINT:
        return model->physscene ? model->physscene->joints[item.index].name : model->joints[item.index].name;
    default:
        return edit->nodes[item.index].name;
    }
}

/* Tests whether a candidate is below the parent. Only nodes can be elsewhere, and only models off the stage.
 */
static bool is_sibling(const mmd_edit *edit, mmd_item candidate, mmd_item parent)
{
    if (candidate.kind == MMD_ITEM_MODEL)
        return mmd_edit_has(edit, candidate);
    return candidate.kind != MMD_ITEM_NODE ||
           (mmd_edit_has(edit, candidate) && mmd_item_equal(edit->nodes[candidate.index].parent, parent));
}

/* Makes the item of an index. */
static mmd_item item_at(uint32_t kind, uint32_t model, uint32_t number)
{
    return kind == MMD_ITEM_MODEL ? (mmd_item){.kind = kind, .model = number}
                                  : (mmd_item){.kind = kind, .model = model, .index = number};
}

/* Returns the child of an index given as "#7"; kind 0 if there is none. */
static mmd_item child_numbered(const mmd_edit *edit, uint32_t kind, mmd_item parent, const char *text)
{
    char *end;
    unsigned long number = strtoul(text + 1, &end, 10);
    mmd_item item = item_at(kind, parent.model, (uint32_t)number);
    bool is_one =
        text[1] >= '0' && text[1] <= '9' && !*end && number < edit_item_count(edit, kind, parent.model);
    return is_one && is_sibling(edit, item, parent) ? item : (mmd_item){0};
}

/* Returns the first child of a name; kind 0 if there is none. */
static mmd_item child_named(const mmd_edit *edit, uint32_t kind, mmd_item parent, const char *name)
{
    uint32_t count = edit_item_count(edit, kind, parent.model);
    for (uint32_t i = 0; i < count; i++) {
        mmd_item item = item_at(kind, parent.model, i);
        if (is_sibling(edit, item, parent) && !strcmp(edit_item_name(edit, item), name))
            return item;
    }
    return (mmd_item){0};
}

/* --- Reading paths --- */

/* Returns the value of a hexadecimal digit; -1 for other characters. */
static int hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes one name of a path and returns what follows it, or NULL if it is not valid. */
static const char *take_segment(const char *at, char *name)
{
    size_t length = 0;
    for (; *at && *at != '/'; at++) {
        int value = (unsigned char)*at;
        if (*at == '%') {
            int high = hex(at[1]), low = high >= 0 ? hex(at[2]) : -1;
            if (low < 0)
                return NULL;
            value = 16 * high + low;
            at += 2;
        }
        if (length + 1 == SEGMENT_MAX || value == 0)
            return NULL;
        name[length++] = (char)value;
    }
    name[length] = '\0';
    if (!length) /* items without a name are given by their index */
        return NULL;
    return *at == '/' ? at + 1 : at;
}

/* Reads the next name or index of a path and finds that child of parent. *at becomes NULL for an invalid
 * name. */
static mmd_item take_child(const mmd_edit *edit, uint32_t kind, mmd_item parent, const char **at)
{
    char name[SEGMENT_MAX];
    bool is_number = **at == '#'; /* a name that begins with # is escaped */
    *at = take_segment(*at, name);
    if (!*at)
        return (mmd_item){0};
    return is_number ? child_numbered(edit, kind, parent, name) : child_named(edit, kind, parent, name);
}

/* Finds the node of a path without its "/nodes/"; kind 0 if there is none. */
static mmd_item find_node(const mmd_edit *edit, const char *at)
{
    mmd_item item = {.kind = MMD_ITEM_STAGE};
    do
        item = take_child(edit, MMD_ITEM_NODE, item, &at);
    while (item.kind && *at);
    return item;
}

/* Folders of a model in paths. */
static const struct {
    const char *folder;
    uint32_t kind;
} parts[] = {{"bones", MMD_ITEM_BONE},
             {"bodies", MMD_ITEM_BODY},
             {"joints", MMD_ITEM_JOINT},
             {"morphs", MMD_ITEM_MORPH}};

/* Finds a model or a part of it from a path without its "/models/"; kind 0 if there is none. */
static mmd_item find_in_model(const mmd_edit *edit, const char *at)
{
    static const mmd_item none = {0}, stage = {.kind = MMD_ITEM_STAGE};
    mmd_item item = take_child(edit, MMD_ITEM_MODEL, stage, &at);
    if (!item.kind || !*at)
        return item;
    if (!strcmp(at, "switches"))
        return (mmd_item){.kind = MMD_ITEM_SWITCHES, .model = item.model};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t length = strlen(parts[i].folder);
        if (strncmp(at, parts[i].folder, length) != 0 || at[length] != '/')
            continue;
        at += length + 1;
        item = take_child(edit, parts[i].kind, item, &at);
        return at && !*at ? item : none;
    }
    return none;
}

mmd_item mmd_edit_find(mmd_edit *edit, const char *path)
{
    assert(edit);
    mmd_item item = {0};
    if (!strcmp(path, "/"))
        item.kind = MMD_ITEM_STAGE;
    else if (!strcmp(path, "/camera"))
        item.kind = MMD_ITEM_CAMERA;
    else if (!strcmp(path, "/light"))
        item.kind = MMD_ITEM_LIGHT;
    else if (!strcmp(path, "/shadow"))
        item.kind = MMD_ITEM_SHADOW;
    else if (!strncmp(path, "/models/", 8))
        item = find_in_model(edit, path + 8);
    else if (!strncmp(path, "/nodes/", 7))
        item = find_node(edit, path + 7);
    return mmd_edit_has(edit, item) ? item : (mmd_item){0};
}

/* --- Writing paths --- */

typedef struct path_text {
    char *text;
    size_t capacity, length;
} path_text;

/* Appends a byte. Beyond the capacity only the length is counted. */
static void put(path_text *out, char c)
{
    if (out->length + 1 < out->capacity)
        out->text[out->length] = c;
    out->length++;
}

static void put_text(path_text *out, const char *text)
{
    while (*text)
        put(out, *text++);
}

/* Appends the name of an item, or its index if the name is empty or would find another item. */
static void put_name(path_text *out, const mmd_edit *edit, mmd_item item, mmd_item parent)
{
    const char *name = edit_item_name(edit, item);
    char escaped[4];
    if (!*name || strlen(name) >= SEGMENT_MAX - 1 ||
        !mmd_item_equal(child_named(edit, item.kind, parent, name), item)) {
        char number[16];
        snprintf(number, sizeof number, "#%u", item.kind == MMD_ITEM_MODEL ? item.model : item.index);
        put_text(out, number);
        return;
    }
    for (const char *at = name; *at; at++) {
        unsigned char c = (unsigned char)*at;
        if (c == '%' || c == '/' || c < 0x20 || c == 0x7f || (c == '#' && at == name)) {
            snprintf(escaped, sizeof escaped, "%%%02X", c);
            put_text(out, escaped);
        } else {
            put(out, *at);
        }
    }
}

/* Appends the path of an item. */
static void put_item(path_text *out, const mmd_edit *edit, mmd_item item)
{
    const mmd_item stage = {.kind = MMD_ITEM_STAGE}, model = {.kind = MMD_ITEM_MODEL, .model = item.model};
    mmd_item parent = mmd_edit_parent(edit, item);
    switch (item.kind) {
    case MMD_ITEM_CAMERA:
        put_text(out, "/camera");
        break;
    case MMD_ITEM_LIGHT:
        put_text(out, "/light");
        break;
    case MMD_ITEM_SHADOW:
        put_text(out, "/shadow");
        break;
    case MMD_ITEM_NODE:
        if (parent.kind == MMD_ITEM_NODE)
            put_item(out, edit, parent);
        else
            put_text(out, "/nodes");
        put(out, '/');
        put_name(out, edit, item, parent);
        break;
    case MMD_ITEM_MODEL:
        put_text(out, "/models/");
        put_name(out, edit, item, stage);
        break;
    case MMD_ITEM_SWITCHES:
        put_item(out, edit, model);
        put_text(out, "/switches");
        break;
    case MMD_ITEM_STAGE:
        put(out, '/');
        break;
    default:
        put_item(out, edit, model);
        put(out, '/');
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            put_text(out, parts[i].kind == item.kind ? parts[i].folder : "");
        put(out, '/');
        put_name(out, edit, item, model);
        break;
    }
}

/* --- Descriptions --- */

static const mmd_item_texts english = {.items = {[MMD_ITEM_NONE] = "it",
                                                 [MMD_ITEM_STAGE] = "the stage",
                                                 [MMD_ITEM_MODEL] = "{name}",
                                                 [MMD_ITEM_BONE] = "{name} of {model}",
                                                 [MMD_ITEM_BODY] = "body {name} of {model}",
                                                 [MMD_ITEM_JOINT] = "joint {name} of {model}",
                                                 [MMD_ITEM_CAMERA] = "camera",
                                                 [MMD_ITEM_LIGHT] = "light",
                                                 [MMD_ITEM_NODE] = "node {name}",
                                                 [MMD_ITEM_MORPH] = "morph {name} of {model}",
                                                 [MMD_ITEM_SWITCHES] = "display and IK of {model}",
                                                 [MMD_ITEM_SHADOW] = "self shadow"},
                                       .same_name = "{name} ({nth} model)"};

/* Tests whether an item is the first of its name, and so the one that mmd_edit_find finds by it. */
static bool is_first(const mmd_edit *edit, mmd_item item, const char *name)
{
    return mmd_item_equal(child_named(edit, item.kind, mmd_edit_parent(edit, item), name), item);
}

/* Appends the name of an item, with its index if an earlier one has that name; the index alone if it has
 * none. */
static void put_own_name(path_text *out, const mmd_edit *edit, mmd_item item)
{
    const char *name = edit_item_name(edit, item);
    char number[24];
    snprintf(number, sizeof number, *name ? " (#%u)" : "#%u", item.index);
    put_text(out, name);
    if (!*name || !is_first(edit, item, name))
        put_text(out, number);
}

/* Appends the name of an item's model, with its number on the stage where several have that name or it has
 * none. */
static void put_model_name(path_text *out, const mmd_edit *edit, uint32_t model, const mmd_item_texts *texts)
{
    const mmd_item item = {.kind = MMD_ITEM_MODEL, .model = model};
    const char *name = edit_item_name(edit, item);
    uint32_t alike = 0, number = model + 1;
    for (uint32_t i = 0; i < edit_item_count(edit, MMD_ITEM_MODEL, 0); i++)
        alike += mmd_stage_is_present(edit->stage, i) &&
                 !strcmp(edit_item_name(edit, item_at(MMD_ITEM_MODEL, 0, i)), name);
    if (*name && alike < 2) {
        put_text(out, name);
        return;
    }
    const char *ending = number / 10 % 10 == 1 ? "th"
                         : number % 10 == 1    ? "st"
                         : number % 10 == 2    ? "nd"
                         : number % 10 == 3    ? "rd"
                                               : "th";
    char digits[16];
    snprintf(digits, sizeof digits, "%u", number);
    for (const char *at = texts->same_name; *at;) {
        if (!strncmp(at, "{name}", 6)) {
            put_text(out, name);
            at += *name ? 6 : 6 + (at[6] == ' ');
        } else if (!strncmp(at, "{nth}", 5)) {
            put_text(out, digits);
            put_text(out, ending);
            at += 5;
        } else if (!strncmp(at, "{n}", 3)) {
            put_text(out, digits);
            at += 3;
        } else {
            put(out, *at++);
        }
    }
}

size_t mmd_edit_describe(const mmd_edit *edit, mmd_item item, const mmd_item_texts *texts, char *text,
                         size_t capacity)
{
    assert(edit);
    assert(text || capacity == 0);
    path_text out = {.text = text, .capacity = capacity};
    texts = texts ? texts : &english;
    for (const char *at = texts->items[mmd_edit_has(edit, item) ? item.kind : MMD_ITEM_NONE]; *at;) {
        if (!strncmp(at, "{name}", 6)) {
            if (item.kind == MMD_ITEM_MODEL)
                put_model_name(&out, edit, item.model, texts);
            else
                put_own_name(&out, edit, item);
            at += 6;
        } else if (!strncmp(at, "{model}", 7)) {
            put_model_name(&out, edit, item.model, texts);
            at += 7;
        } else {
            put(&out, *at++);
        }
    }
    if (capacity)
        text[out.length < capacity ? out.length : capacity - 1] = '\0';
    return out.length;
}

size_t mmd_edit_path(mmd_edit *edit, mmd_item item, char *text, size_t capacity)
{
    assert(edit);
    assert(text || capacity == 0);
    path_text out = {.text = text, .capacity = capacity};
    if (mmd_edit_has(edit, item))
        put_item(&out, edit, item);
    if (capacity)
        text[out.length < capacity ? out.length : capacity - 1] = '\0';
    return out.length;
}
