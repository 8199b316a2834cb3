/* What the dialogs of all systems share (file_dialog.h). */
#include "file_dialog.h"

#include <string.h>

#include "mmd/text.h"

enum { TEXT_MAX = 512 };

/* Copies a text as valid UTF-8, which D-Bus demands. Returns NULL when out of memory. */
static const char *copy_text(mmd_arena *arena, const char *text)
{
    char clean[TEXT_MAX];
    mmd_text_clean(text ? text : "", false, clean, sizeof clean);
    return mmd_arena_text(arena, clean, strlen(clean));
}

static bool copy_filters(const dialog_request *from, mmd_arena *arena, dialog_request *copy)
{
    size_t count = from->filter_count < DIALOG_FILTERS_MAX ? from->filter_count : DIALOG_FILTERS_MAX;
    dialog_filter *filters = mmd_arena_alloc(arena, count, sizeof *filters);
    for (size_t i = 0; filters && i < count; i++) {
        filters[i] = (dialog_filter){copy_text(arena, from->filters[i].name), from->filters[i].kinds};
        if (!filters[i].name)
            return false;
    }
    copy->filters = filters;
    copy->filter_count = count;
    return filters != NULL;
}

bool dialog_request_copy(const dialog_request *from, mmd_arena *arena, dialog_request *copy)
{
    *copy = *from;
    copy->title = copy_text(arena, from->title);
    copy->name = from->name ? copy_text(arena, from->name) : NULL;
    copy->folder = from->folder ? mmd_arena_text(arena, from->folder, strlen(from->folder)) : NULL;
    return copy->title && (copy->name || !from->name) && (copy->folder || !from->folder) &&
           copy_filters(from, arena, copy);
}

bool dialog_answer_add(dialog_answer *answer, const char *path)
{
    if (!path || answer->paths.count == DIALOG_PATHS_MAX) {
        answer->left_out++;
        return true;
    }
    const char *kept = mmd_arena_text(&answer->arena, path, strlen(path));
    return kept && text_list_add(&answer->paths, kept);
}

void dialog_answer_finish(dialog_answer *answer)
{
    text_list_finish(&answer->paths);
    mmd_arena_finish(&answer->arena);
    *answer = (dialog_answer){.state = DIALOG_IDLE};
}
