#include "chooser.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "file_page.h"
#include "files/locate.h"
#include "mmd/source.h"
#include "open.h"

struct file_chooser {
    portal *portal;
    chooser_taker *taker; /* of the open dialog */
    unsigned long parent;
};

file_chooser *chooser_create(void (*wake)(void *user), void *user)
{
    file_chooser *c = mmd_alloc(sizeof *c);
    if (!c)
        return NULL;
    *c = (file_chooser){.portal = portal_create(wake, user)};
    if (c->portal)
        return c;
    mmd_free(c);
    return NULL;
}

void chooser_destroy(file_chooser *c)
{
    if (!c)
        return;
    portal_destroy(c->portal);
    mmd_free(c);
}

void chooser_set_parent(file_chooser *c, unsigned long window)
{
    c->parent = window;
}

bool chooser_folder(const odori_session *s, char folder[PATH_MAX])
{
    char archive[PATH_MAX], beside[PATH_MAX];
    size_t main = scene_main_model(s->scene);
    const scene_model *m = main < s->scene->model_count ? &s->scene->models[main] : NULL;
    if (!m || document_of(s)->opener->dancer || strcmp(m->given, m->path) != 0)
        return false;
    mmd_path_folder(locate_archive(m->path, archive) ? archive : m->path, beside, sizeof beside);
    return realpath(beside, folder) != NULL;
}

portal_state chooser_ask(odori_session *s, const portal_request *request, chooser_taker *taker, char *error)
{
    char folder[PATH_MAX];
    portal_request full = *request;
    file_chooser *c = document_of(s)->chooser;
    if (!c) {
        refuse_with(error, "only a window of `play` can show a file chooser");
        return PORTAL_FAILED;
    }
    full.parent = c->parent;
    if (!full.title && full.kind == PORTAL_OPEN)
        full.title = session_in_japanese(s) ? "ファイルを開く" : "Open files";
    else if (!full.title)
        full.title = session_in_japanese(s) ? "名前を付けて保存" : "Save as";
    if (!full.folder && chooser_folder(s, folder))
        full.folder = folder;
    portal_state state = portal_choose(c->portal, &full, error);
    if (state == PORTAL_WAITING)
        c->taker = taker;
    return state;
}

void chooser_poll(file_chooser *c, odori_session *s)
{
    portal_answer answer;
    if (!c || portal_poll(c->portal, &answer) <= PORTAL_WAITING)
        return;
    c->taker(s, &answer);
    portal_answer_finish(&answer);
}

/* --- file.choose --- */

/* Shows the player's own page of files, because the desktop has no dialog. */
static bool show_own_page(odori_session *s, char *error)
{
    char why[REFUSAL_MAX];
    if (document_of(s)->page)
        return file_page_show(document_of(s)->page, s, error);
    memcpy(why, error, sizeof why);
    return refuse_with(error, "%.150s; drop files on the window, or use `file.open PATH`", why);
}

/* Opens the chosen files. */
static void open_chosen(odori_session *s, const portal_answer *answer)
{
    char error[REFUSAL_MAX];
    memcpy(error, answer->error, sizeof error);
    if (answer->state == PORTAL_CANCELLED)
        return;
    if (answer->left_out)
        panel_log_report(s->messages, "chosen things that are not files on this computer: %zu",
                         answer->left_out);
    bool opened = answer->state == PORTAL_MISSING ? show_own_page(s, error)
                  : answer->state == PORTAL_CHOSEN
                      ? open_files(s, answer->paths.items, answer->paths.count, error)
                      : false;
    if (!opened)
        panel_log_report(s->messages, "%s", error);
}

static bool file_choose(odori_session *s, const command_arguments *a, char *error)
{
    const bool japanese = session_in_japanese(s);
    const unsigned models = 1u << FILE_MODEL | 1u << FILE_ACCESSORY | 1u << FILE_INTERCHANGE;
    const unsigned motions = 1u << FILE_MOTION | 1u << FILE_POSE;
    const unsigned all = models | motions | 1u << FILE_PROJECT | 1u << FILE_SOUND | 1u << FILE_ARCHIVE;
    const portal_filter filters[] = {
        {japanese ? "開けるファイル" : "Files that can be opened",
         all | 1u << FILE_PICTURE | 1u << FILE_PLAYLIST},
        {japanese ? "モデル・アクセサリ" : "Models and accessories", models},
        {japanese ? "モーション・ポーズ" : "Motions and poses", motions},
        {japanese ? "プロジェクト" : "Projects", 1u << FILE_PROJECT},
        {japanese ? "音声" : "Sounds", 1u << FILE_SOUND},
        {japanese ? "アーカイブ" : "Archives", 1u << FILE_ARCHIVE},
        {japanese ? "すべてのファイル" : "All files", 0},
    };
    const portal_request request = {
        .multiple = true, .filters = filters, .filter_count = sizeof filters / sizeof *filters};
    (void)a;
    if (!document_of(s)->opener)
        return refuse_with(error, "only `play` can open files");
    portal_state state = chooser_ask(s, &request, open_chosen, error);
    return state == PORTAL_WAITING || (state == PORTAL_MISSING && show_own_page(s, error));
}

static const command commands[] = {
    {"file.choose", "", "",
     "asks for files in the desktop's dialog, and opens them as `file.open` does (play)", file_choose,
     .replay = REPLAY_REFUSES},
};

const command_group commands_of_chooser = {commands, sizeof commands / sizeof *commands};
