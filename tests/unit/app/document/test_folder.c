/* Tests the lists of the player's page of files: folders, archives, filters, typed paths, places, and the
 * thread that reads them. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <semaphore.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "document/folder_list.h"
#include "made_archive.h"
#include "mmd/text.h"

#define PATIENCE 20 /* seconds until a folder must have been read */

static char root[64];

static int make_root(void **state)
{
    char path[96];
    (void)state;
    snprintf(root, sizeof root, "/tmp/odori-folder-XXXXXX");
    assert_non_null(mkdtemp(root));
    setenv("HOME", root, 1);
    setenv("USER", "nobody-of-this-name", 1);
    snprintf(path, sizeof path, "%s/.config", root);
    setenv("XDG_CONFIG_HOME", path, 1);
    snprintf(path, sizeof path, "%s/.state", root);
    setenv("XDG_STATE_HOME", path, 1);
    return 0;
}

static int remove_root(void **state)
{
    char command[192];
    (void)state;
    snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s", root, root);
    return system(command);
}

/* Returns the path of a file in the root, until the fourth call from now. */
static const char *at(const char *name)
{
    static char paths[4][MMD_FILE_PATH_MAX];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, MMD_FILE_PATH_MAX, "%s/%s", root, name);
    return path;
}

static void put(const char *name, const void *data, size_t size)
{
    FILE *out = fopen(at(name), "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(data, 1, size, out), size);
    fclose(out);
}

static void make(const char *name)
{
    put(name, "12345", 5);
}

static void make_folder(const char *name)
{
    assert_int_equal(mkdir(at(name), 0777), 0);
}

/* Reads a folder of the root, which must succeed. */
static folder_contents read_folder(const char *name)
{
    folder_contents c;
    mmd_error error = {0};
    if (folder_read(at(name), NULL, &c, &error) != MMD_OK)
        fail_msg("%s: %s", name, error.message);
    return c;
}

/* Requires that the entries which a filter lets through have these names, in this order. */
static void expect(const folder_contents *c, const folder_filter *filter, const char *const *names)
{
    uint32_t shown[64];
    assert_in_range(c->count, 0, 64);
    size_t count = folder_filter_apply(c, filter, shown);
    for (size_t i = 0; i < count; i++)
        if (!names[i] || strcmp(c->entries[shown[i]].name, names[i]) != 0)
            fail_msg("entry %zu is %s and not %s", i, c->entries[shown[i]].name,
                     names[i] ? names[i] : "none");
    assert_null(names[count]);
}

static const folder_entry *find(const folder_contents *c, const char *name)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->entries[i].name, name) == 0)
            return &c->entries[i];
    fail_msg("there is no %s", name);
    return NULL;
}

/* --- Folders --- */

static void folders_come_first_and_numbers_count(void **state)
{
    static const char *const made[] = {"dance10.vmd", "dance2.vmd", "Dance1.vmd", "ｄａｎｃｅ３.vmd",
                                       "dance02.vmd", "a.pmx",      "B.pmx",      "初音ミク.pmx",
                                       "Ä.wav",       ".hidden"};
    static const char *const sorted[] = {"9z",          "10",          "a.pmx",        "B.pmx",
                                         "Dance1.vmd",  "dance02.vmd", "dance2.vmd",   "ｄａｎｃｅ３.vmd",
                                         "dance10.vmd", "Ä.wav",       "初音ミク.pmx", NULL};
    (void)state;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        make(made[i]);
    make_folder("10");
    make_folder("9z");
    folder_contents c = read_folder("");
    expect(&c, &(folder_filter){0}, sorted);
    assert_int_equal(c.count, 12);
    assert_int_equal(c.left_out, 0);
    assert_false(c.is_cut);
    folder_contents_finish(&c);
}

static void entries_have_kind_size_and_time(void **state)
{
    static const struct {
        const char *name;
        mmd_name_kind kind;
    } made[] = {{"a.PMX", MMD_NAME_MODEL},       {"a.pmd", MMD_NAME_MODEL},      {"a.x", MMD_NAME_ACCESSORY},
                {"a.glb", MMD_NAME_INTERCHANGE}, {"a.vmd", MMD_NAME_MOTION},     {"a.vpd", MMD_NAME_POSE},
                {"a.pmm", MMD_NAME_PROJECT},     {"a.Ogg", MMD_NAME_SOUND},      {"a.png", MMD_NAME_TEXTURE},
                {"a.zip", MMD_NAME_ARCHIVE},     {"a.tar.GZ", MMD_NAME_ARCHIVE}, {"a.gz", MMD_NAME_OTHER},
                {"pmx", MMD_NAME_OTHER},         {"a.txt", MMD_NAME_OTHER}};
    (void)state;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        make(made[i].name);
    make_folder("b.pmx");
    folder_contents c = read_folder("");
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        const folder_entry *e = find(&c, made[i].name);
        if (e->kind != made[i].kind || e->is_folder || e->size != 5)
            fail_msg("%s: kind %d, size %d", e->name, (int)e->kind, (int)e->size);
        assert_true(llabs((long long)(e->time - time(NULL))) < 3600);
    }
    assert_true(find(&c, "b.pmx")->is_folder);
    assert_int_equal(find(&c, "b.pmx")->kind, MMD_NAME_OTHER);
    char path[MMD_FILE_PATH_MAX];
    assert_true(folder_entry_path(&c, find(&c, "b.pmx"), path));
    assert_string_equal(path, at("b.pmx"));
    folder_contents_finish(&c);
}

static void only_what_can_be_opened_is_listed(void **state)
{
    (void)state;
    make("file.pmx");
    make_folder("folder");
    assert_int_equal(symlink("file.pmx", at("link.pmx")), 0);
    assert_int_equal(symlink("folder", at("way")), 0);
    assert_int_equal(symlink("nowhere", at("broken.pmx")), 0);
    assert_int_equal(symlink("round", at("round")), 0);
    assert_int_equal(mkfifo(at("pipe.pmx"), 0600), 0);
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    snprintf(name.sun_path, sizeof name.sun_path, "%.80s/socket", root);
    int socket_number = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(socket_number, (struct sockaddr *)&name, sizeof name), 0);
    folder_contents c = read_folder("");
    static const char *const names[] = {"folder", "way", "file.pmx", "link.pmx", NULL};
    expect(&c, &(folder_filter){0}, names);
    assert_int_equal(c.left_out, 4);
    folder_contents_finish(&c);
    close(socket_number);
}

static void names_of_strangers_are_shown_safely(void **state)
{
    (void)state;
    make("a\x1b[31m\n.pmx");
    make("b\u202excod.pmx");
    make("c\xff\x82\xa0.pmx");
    folder_contents c = read_folder("");
    assert_int_equal(c.count, 3);
    for (size_t i = 0; i < c.count; i++) {
        uint32_t character;
        for (const char *p = c.entries[i].label; *p; p++)
            assert_int_equal(mmd_text_control(p, &character), 0);
        assert_int_equal(c.entries[i].kind, MMD_NAME_MODEL);
    }
    assert_string_equal(c.entries[0].label, "a\\x1b[31m\\n.pmx");
    assert_string_equal(c.entries[1].label, "b\\u202excod.pmx");
    assert_string_equal(c.entries[2].name, "c\xff\x82\xa0.pmx");
    assert_non_null(strstr(c.entries[2].label, "\ufffd"));
    folder_contents_finish(&c);
}

static void what_is_no_folder_is_told(void **state)
{
    static const struct {
        const char *name;
        mmd_status status;
    } cases[] = {{"none", MMD_ERROR_NOT_FOUND},
                 {"plain.txt", MMD_ERROR_MAGIC},
                 {"plain.txt/below", MMD_ERROR_NOT_FOUND},
                 {"pipe", MMD_ERROR_MAGIC},
                 {"broken.zip", MMD_ERROR_MAGIC}};
    (void)state;
    make("plain.txt");
    make("broken.zip");
    assert_int_equal(mkfifo(at("pipe"), 0600), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        folder_contents c;
        mmd_error error = {0};
        mmd_status status = folder_read(at(cases[i].name), NULL, &c, &error);
        if (status != cases[i].status)
            fail_msg("%s: %s (%s)", cases[i].name, mmd_status_name(status), error.message);
        assert_int_equal(c.count, 0);
        assert_non_null(strstr(error.file, cases[i].name));
        folder_contents_finish(&c);
    }
}

/* Reads a folder as a user who is not root, in a process of its own. Exits with the status. */
static void read_as_nobody(const char *name)
{
    folder_contents c;
    if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
        _exit(MMD_STATUS_COUNT);
    mmd_status status = folder_read(at(name), NULL, &c, NULL);
    _exit((int)status);
}

static void unreadable_folders_are_told(void **state)
{
    (void)state;
    make_folder("locked");
    assert_int_equal(chmod(root, 0755), 0);
    assert_int_equal(chmod(at("locked"), 0), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        read_as_nobody("locked");
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == MMD_STATUS_COUNT)
        test_skip("root cannot become another user");
    assert_int_equal(WEXITSTATUS(status), MMD_ERROR_IO);
    folder_contents c = read_folder("");
    assert_int_equal(c.count, 1);
    folder_contents_finish(&c);
}

static void a_huge_folder_is_cut(void **state)
{
    (void)state;
    make_folder("huge");
    int folder = open(at("huge"), O_RDONLY | O_DIRECTORY);
    make("huge/0");
    for (int i = 1; i <= FOLDER_ENTRIES_MAX; i++) {
        char name[32];
        snprintf(name, sizeof name, "Motion %d.vmd", i);
        /* hard links, which are quicker to make than files; a file can have 65,000 of them */
        if (i % 50000 == 1) {
            int file = openat(folder, name, O_CREAT | O_WRONLY, 0600);
            assert_true(file >= 0);
            close(file);
        } else {
            char first[32];
            snprintf(first, sizeof first, "Motion %d.vmd", i - (i - 1) % 50000);
            assert_int_equal(linkat(folder, first, folder, name, 0), 0);
        }
    }
    close(folder);
    double begun = clock_seconds();
    folder_contents c = read_folder("huge");
    assert_true(clock_seconds() - begun < 15);
    assert_int_equal(c.count, FOLDER_ENTRIES_MAX);
    assert_true(c.is_cut);
    atomic_bool cancelled = true;
    folder_contents half;
    assert_int_equal(folder_read(at("huge"), &cancelled, &half, NULL), MMD_ERROR_REFUSED);
    assert_true(half.count < c.count);
    folder_contents_finish(&half);
    uint32_t *shown = mmd_alloc(c.count * sizeof *shown);
    size_t count = folder_filter_apply(&c, &(folder_filter){.text = "motion 7777"}, shown);
    assert_in_range(count, 10, 11);
    assert_string_equal(c.entries[shown[0]].name, "Motion 7777.vmd");
    mmd_free(shown);
    folder_contents_finish(&c);
}

/* --- Archives --- */

static void an_archive_is_listed_like_a_folder(void **state)
{
    static const made_file files[] = {{"miku/model.pmx", "abc", 3}, {"miku/tex/a.png", "a", 1},
                                      {"miku/tex/b.png", "b", 1},   {"miku-read.txt", "r", 1},
                                      {"miku/inner.zip", "PK", 2},  {"dance.vmd", "four", 4},
                                      {"日本/踊り.vmd", "x", 1}};
    static const char *const top[] = {"miku", "日本", "dance.vmd", "miku-read.txt", NULL};
    static const char *const miku[] = {"tex", "inner.zip", "model.pmx", NULL};
    char path[MMD_FILE_PATH_MAX];
    (void)state;
    uint64_t blocks = mmd_heap_blocks_in_use();
    mmd_bytes bytes = made_archive(MADE_ZIP, files, sizeof files / sizeof *files, NULL);
    put("pack.dat", bytes.data, bytes.size); /* the content counts, not the ending */
    mmd_bytes_finish(&bytes);
    folder_contents c = read_folder("pack.dat/");
    assert_true(c.in_archive);
    expect(&c, &(folder_filter){0}, top);
    assert_int_equal(find(&c, "dance.vmd")->size, 4);
    assert_int_equal(find(&c, "dance.vmd")->kind, MMD_NAME_MOTION);
    assert_true(folder_entry_path(&c, find(&c, "miku"), path));
    assert_string_equal(path, at("pack.dat/miku"));
    folder_contents below = read_folder("pack.dat/miku");
    expect(&below, &(folder_filter){0}, miku);
    assert_int_equal(find(&below, "inner.zip")->kind, MMD_NAME_OTHER);
    folder_contents_finish(&below);
    below = read_folder("pack.dat/日本");
    assert_int_equal(below.count, 1);
    folder_contents_finish(&below);
    folder_contents_finish(&c);
    mmd_error error = {0};
    assert_int_equal(folder_read(at("pack.dat/mik"), NULL, &c, &error), MMD_ERROR_NOT_FOUND);
    folder_contents_finish(&c);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

static void passwords_and_left_out_names_are_told(void **state)
{
    static const made_file secret[] = {{"miku.pmx", "abc", 3}};
    static const made_entry strange[] = {{"../../up.pmx", true, "a", 1, 0}, {"good.pmx", true, "b", 1, 0}};
    (void)state;
    mmd_bytes bytes = made_archive(MADE_ZIP, secret, 1, "password");
    put("secret.zip", bytes.data, bytes.size);
    mmd_bytes_finish(&bytes);
    folder_contents c = read_folder("secret.zip");
    assert_true(find(&c, "miku.pmx")->is_encrypted);
    folder_contents_finish(&c);
    bytes = made_zip(strange, 2);
    put("strange.zip", bytes.data, bytes.size);
    mmd_bytes_finish(&bytes);
    c = read_folder("strange.zip");
    assert_int_equal(c.count, 1);
    assert_int_equal(c.left_out, 1);
    assert_false(find(&c, "good.pmx")->is_encrypted);
    folder_contents_finish(&c);
}

/* --- The filter --- */

static void a_filter_finds_any_part_in_any_form(void **state)
{
    static const struct {
        const char *text;
        const char *found;
    } cases[] = {{"MIKU", "Hatsune Miku.pmx"},
                 {"ガ", "ガラス.x"},
                 {"カ\u3099", "ガラス.x"},
                 {"ｶﾞﾗ", "ガラス.x"},
                 {"ＭＩＫＵ", "Hatsune Miku.pmx"},
                 {"straße", "STRASSE.wav"},
                 {"ü", "u\u0308ber.vmd"},
                 {"Ü", "u\u0308ber.vmd"},
                 {"no such", NULL}};
    (void)state;
    make("Hatsune Miku.pmx");
    make("ガラス.x");
    make("STRASSE.wav");
    make("u\u0308ber.vmd");
    folder_contents c = read_folder("");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const names[] = {cases[i].found, NULL};
        expect(&c, &(folder_filter){.text = cases[i].text}, names);
    }
    folder_contents_finish(&c);
}

static void a_filter_of_kinds_leaves_the_ways(void **state)
{
    static const char *const models[] = {"folder", "a.pmx", "a.zip", NULL};
    static const char *const sounds[] = {"folder", ".a.ogg", "a.wav", "a.zip", NULL};
    (void)state;
    make("a.pmx");
    make("a.vmd");
    make("a.wav");
    make(".a.ogg");
    make("a.zip");
    make_folder("folder");
    folder_contents c = read_folder("");
    expect(&c, &(folder_filter){.kinds = 1u << MMD_NAME_MODEL}, models);
    expect(&c, &(folder_filter){.kinds = 1u << MMD_NAME_SOUND, .hidden = true}, sounds);
    folder_contents_finish(&c);
}

static void textures_do_not_hide_the_model(void **state)
{
    static const made_file files[] = {{"model.pmx", "abc", 3}, {"tex/a.png", "a", 1}};
    static const char *const mine[] = {"a.png", NULL}, *const none[] = {NULL};
    const folder_filter pictures = {.kinds = 1u << MMD_NAME_PICTURE}, all = {0};
    static const char *const every[] = {"a.png", "model.pmx", NULL};
    (void)state;
    make_folder("pictures");
    make("pictures/a.png");
    make("pictures/b.jpg"); /* never one of odori */
    folder_contents c = read_folder("pictures");
    expect(&c, &pictures, mine);
    folder_contents_finish(&c);
    make_folder("model");
    make("model/a.png");
    make("model/model.pmx");
    c = read_folder("model");
    expect(&c, &pictures, none);
    expect(&c, &all, every);
    folder_contents_finish(&c);
    mmd_bytes bytes = made_archive(MADE_ZIP, files, sizeof files / sizeof *files, NULL);
    put("pack.zip", bytes.data, bytes.size);
    mmd_bytes_finish(&bytes);
    c = read_folder("pack.zip/tex");
    expect(&c, &pictures, none);
    folder_contents_finish(&c);
}

/* --- Paths --- */

static void paths_have_parents(void **state)
{
    static const char *const cases[][2] = {
        {"/a/b", "/a"}, {"/a/b/", "/a"}, {"/a", "/"},     {"//a", "/"},
        {"/", NULL},    {"//", NULL},    {"/a//b", "/a"}, {"/a/b.zip/c", "/a/b.zip"},
        {"name", NULL}};
    char parent[MMD_FILE_PATH_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool has = folder_parent(cases[i][0], parent);
        if (has != (cases[i][1] != NULL) || (has && strcmp(parent, cases[i][1]) != 0))
            fail_msg("%s: %s", cases[i][0], has ? parent : "none");
    }
}

static void typed_paths_are_understood(void **state)
{
    static const char *const cases[][2] = {{"/a/b", "/a/b"},
                                           {" /a//b/./c/../d/ ", "/a/b/d"},
                                           {"..", "/here"},
                                           {"../../../..", "/"},
                                           {"x/y", "/here/now/x/y"},
                                           {"~x", "/here/now/~x"},
                                           {"file:///a%20b", "/a b"},
                                           {"/...", "/..."},
                                           {"file:a", NULL},
                                           {"", NULL},
                                           {" \n", NULL}};
    char path[MMD_FILE_PATH_MAX], home[MMD_FILE_PATH_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool is = folder_typed(cases[i][0], "/here/now", path);
        if (is != (cases[i][1] != NULL) || (is && strcmp(path, cases[i][1]) != 0))
            fail_msg("\"%s\": %s", cases[i][0], is ? path : "none");
    }
    assert_true(folder_typed("~", "/", path));
    assert_string_equal(path, root);
    assert_true(folder_typed("~/miku", "/", path));
    snprintf(home, sizeof home, "%s/miku", root);
    assert_string_equal(path, home);
    char longest[2 * MMD_FILE_PATH_MAX];
    memset(longest, 'a', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    assert_false(folder_typed(longest, "/", path));
}

/* --- Places --- */

static const place *place_of(const places *found, place_kind kind, size_t n)
{
    for (size_t i = 0; i < found->count; i++)
        if (found->items[i].kind == kind && n-- == 0)
            return &found->items[i];
    return NULL;
}

static void assert_place(const places *found, place_kind kind, size_t n, const char *path)
{
    const place *p = place_of(found, kind, n);
    if (!p != !path || (p && strcmp(p->path, path) != 0))
        fail_msg("place %d is %s and not %s", (int)kind, p ? p->path : "none", path ? path : "none");
}

static void places_are_those_of_the_user(void **state)
{
    places found;
    char settings[512];
    (void)state;
    make_folder(".config");
    make_folder("デスクトップ");
    make_folder("Downloads");
    make_folder("Music \"1\"");
    make_folder("Music");
    snprintf(settings, sizeof settings,
             "# settings\nXDG_DESKTOP_DIR=\"$HOME/デスクトップ\"\n  XDG_MUSIC_DIR=\"$HOME/Music \\\"1\\\"\"\n"
             "XDG_VIDEOS_DIR=\"$HOME/\"\nXDG_PICTURES_DIR=\"/tmp\"\nXDG_DOCUMENTS_DIR=\"relative\"\n");
    put(".config/user-dirs.dirs", settings, strlen(settings));
    places_find(NULL, false, &found);
    assert_place(&found, PLACE_MODEL, 0, NULL);
    assert_place(&found, PLACE_HOME, 0, root);
    assert_place(&found, PLACE_DESKTOP, 0, at("デスクトップ"));
    assert_place(&found, PLACE_DOWNLOADS, 0, at("Downloads"));
    assert_place(&found, PLACE_MUSIC, 0, at("Music \"1\""));
    assert_place(&found, PLACE_PICTURES, 0, "/tmp");
    assert_place(&found, PLACE_VIDEOS, 0, NULL);    /* "the home folder" means "none" */
    assert_place(&found, PLACE_DOCUMENTS, 0, NULL); /* neither absolute nor in the home folder */
    assert_place(&found, PLACE_ROOT, 0, "/");
    assert_string_equal(place_of(&found, PLACE_DESKTOP, 0)->label, "デスクトップ");
    assert_string_equal(place_of(&found, PLACE_ROOT, 0)->label, "/");
    places_finish(&found);
}

static void places_are_where_files_were(void **state)
{
    static const made_file files[] = {{"in/miku.pmx", "abc", 3}};
    places found;
    char text[MMD_FILE_PATH_MAX], model[MMD_FILE_PATH_MAX];
    (void)state;
    make_folder(".state");
    make_folder(".state/odori");
    make_folder("one");
    make_folder("two");
    snprintf(text, sizeof text, "%s/two/b.pmx\n%s/one/a.pmx\n%s/two/c.pmx\n%s/gone/d.pmx\n%s/e.pmx\n", root,
             root, root, root, root);
    put(".state/odori/recent", text, strlen(text));
    mmd_bytes bytes = made_archive(MADE_ZIP, files, 1, NULL);
    put("one/pack.zip", bytes.data, bytes.size);
    mmd_bytes_finish(&bytes);
    snprintf(model, sizeof model, "%s/one/pack.zip/in/miku.pmx", root);
    places_find(model, true, &found);
    assert_place(&found, PLACE_MODEL, 0, at("one/pack.zip/in"));
    assert_place(&found, PLACE_RECENT, 0, at("two"));
    assert_place(&found, PLACE_RECENT, 1, at("one"));
    assert_place(&found, PLACE_RECENT, 2, NULL); /* one is gone, and one is the home folder */
    places_finish(&found);
    places_find(NULL, false, &found);
    assert_place(&found, PLACE_RECENT, 0, NULL);
    places_finish(&found);
}

static void mounted_disks_are_places(void **state)
{
    places found = {0};
    (void)state;
    make_folder("media");
    make_folder("media/USB b");
    make_folder("media/USB a");
    make_folder("media/.hidden");
    make("media/file");
    places_add_disks(&found, at("media"));
    assert_int_equal(found.count, 2);
    assert_place(&found, PLACE_MEDIUM, 0, at("media/USB a"));
    assert_place(&found, PLACE_MEDIUM, 1, at("media/USB b"));
    places_add_disks(&found, at("none"));
    assert_int_equal(found.count, 2);
    places_finish(&found);
}

/* --- The thread --- */

static void wake(void *user)
{
    sem_post(user);
}

/* Waits for a wake-up and takes what was read. */
static folder_view wait_for_view(folder_list *list, sem_t *woken)
{
    struct timespec until;
    folder_view view;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    assert_int_equal(sem_timedwait(woken, &until), 0);
    assert_true(folder_list_is_busy(list));
    assert_true(folder_list_poll(list, &view));
    assert_false(folder_list_is_busy(list));
    return view;
}

/* Waits until threads that were given up have ended. */
static void wait_for_blocks(uint64_t blocks)
{
    for (int i = 0; mmd_heap_blocks_in_use() != blocks && i < PATIENCE * 100; i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

static void a_thread_reads_and_the_last_wish_counts(void **state)
{
    sem_t woken;
    folder_view view;
    (void)state;
    sem_init(&woken, 0, 0);
    make_folder("one");
    make("one/a.pmx");
    make_folder("two");
    uint64_t blocks = mmd_heap_blocks_in_use();
    folder_list *list = folder_list_create(wake, &woken);
    assert_false(folder_list_poll(list, &view));
    assert_null(view.contents);
    assert_true(folder_list_go(list, at("one"), NULL, false));
    view = wait_for_view(list, &woken);
    assert_string_equal(view.contents->path, at("one"));
    assert_int_equal(view.contents->count, 1);
    assert_string_equal(view.error, "");
    assert_place(view.places, PLACE_HOME, 0, root);
    assert_true(folder_list_go(list, at("none"), NULL, false));
    view = wait_for_view(list, &woken);
    assert_string_equal(view.contents->path, at("one"));
    assert_non_null(strstr(view.error, "none: there is no such folder"));
    for (int i = 0; i < 20; i++) {
        assert_true(folder_list_go(list, at("one"), NULL, false));
        assert_true(folder_list_go(list, at("two"), NULL, false));
        do
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        while (!folder_list_poll(list, &view));
        assert_string_equal(view.contents->path, at("two"));
        assert_string_equal(view.error, "");
    }
    assert_true(folder_list_go(list, at("one"), at("two/miku.pmx"), false));
    folder_list_destroy(list);
    folder_list_destroy(NULL);
    wait_for_blocks(blocks);
}

static void a_list_that_is_gone_wakes_nobody(void **state)
{
    sem_t woken;
    int before, after;
    (void)state;
    make_folder("one");
    uint64_t blocks = mmd_heap_blocks_in_use();
    for (int i = 0; i < 30; i++) {
        sem_init(&woken, 0, 0);
        folder_list *list = folder_list_create(wake, &woken);
        assert_true(folder_list_go(list, at("one"), NULL, false));
        folder_list_destroy(list);
        sem_getvalue(&woken, &before);
        wait_for_blocks(blocks);
        sem_getvalue(&woken, &after);
        assert_int_equal(after, before);
    }
}

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_root, remove_root)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(folders_come_first_and_numbers_count),
        IN_A_FOLDER(entries_have_kind_size_and_time),
        IN_A_FOLDER(only_what_can_be_opened_is_listed),
        IN_A_FOLDER(names_of_strangers_are_shown_safely),
        IN_A_FOLDER(what_is_no_folder_is_told),
        IN_A_FOLDER(unreadable_folders_are_told),
        IN_A_FOLDER(a_huge_folder_is_cut),
        IN_A_FOLDER(an_archive_is_listed_like_a_folder),
        IN_A_FOLDER(passwords_and_left_out_names_are_told),
        IN_A_FOLDER(a_filter_finds_any_part_in_any_form),
        IN_A_FOLDER(a_filter_of_kinds_leaves_the_ways),
        IN_A_FOLDER(textures_do_not_hide_the_model),
        IN_A_FOLDER(paths_have_parents),
        IN_A_FOLDER(typed_paths_are_understood),
        IN_A_FOLDER(places_are_those_of_the_user),
        IN_A_FOLDER(places_are_where_files_were),
        IN_A_FOLDER(mounted_disks_are_places),
        IN_A_FOLDER(a_thread_reads_and_the_last_wish_counts),
        IN_A_FOLDER(a_list_that_is_gone_wakes_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
