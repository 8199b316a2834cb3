/*
 * Tests the small pictures of the page of files: names and contents of the desktop's cache, and the maker,
 * for which scripts stand in for `odori thumbnail`: what is made once, what cannot be made, what hangs, and
 * that nobody waits.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

#include "base/clock.h"
#include "base/file_uri.h"
#include "document/thumbnail_cache.h"
#include "document/thumbnails.h"
#include "support.h"

#define PATIENCE 20 /* seconds until a picture must have come */

static char root[64];
static sem_t woken;

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

/* Returns a picture of one colour. */
static mmd_image make_image(uint32_t side, uint8_t red)
{
    mmd_image image;
    assert_int_equal(mmd_image_init(&image, side, side, NULL), MMD_OK);
    for (size_t i = 0; i < (size_t)side * side; i++)
        memcpy(image.pixels + 4 * i, (uint8_t[]){red, 20, 30, 255}, 4);
    return image;
}

static void put_png(const char *name, uint32_t side, uint8_t red)
{
    mmd_image image = make_image(side, red);
    mmd_buffer bytes = {0};
    assert_int_equal(mmd_png_write(&image, &(mmd_png_options){.alpha = true}, &bytes, NULL), MMD_OK);
    put(name, bytes.data, bytes.size);
    mmd_buffer_finish(&bytes);
    mmd_image_finish(&image);
}

/* Makes a root with a script in the place of odori. It writes the name of its file to the list "runs", and
 * then does what the name says. */
static int make_root(void **state)
{
    char script[1024];
    (void)state;
    snprintf(root, sizeof root, "/tmp/odori-thumbnails-XXXXXX");
    assert_non_null(mkdtemp(root));
    setenv("XDG_CACHE_HOME", at("cache"), 1);
    snprintf(script, sizeof script,
             "#!/bin/sh\nfor last; do :; done\necho \"$* $$\" >>%s/runs\ncase $last in\n"
             "*bad*) exit 3 ;;\n*other*) exit 1 ;;\n*rubbish*) echo rubbish ;;\n*large*) cat %s/large ;;\n"
             "*crash*) kill -SEGV $$ ;;\n*endless*) cat /dev/zero ;;\n*hang*) exec sleep 60 ;;\n"
             "*silent*) exec >&-; exec sleep 60 ;;\n*) cat %s/good ;;\nesac\n",
             root, root, root);
    put("script", script, strlen(script));
    chmod(at("script"), 0755);
    put_png("good", THUMBNAIL_SIZE, 200);
    put_png("large", THUMBNAIL_SIZE + 1, 200);
    sem_init(&woken, 0, 0);
    return 0;
}

static int remove_root(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command);
}

/* --- Names --- */

static void names_are_those_of_the_standard(void **state)
{
    char name[THUMBNAIL_NAME_MAX];
    (void)state;
    thumbnail_name("file:///home/jens/photos/me.png", name); /* the example of the standard */
    assert_string_equal(name, "c6ee772d9e49320e97ec29a7eb5b1697.png");
    thumbnail_name("", name);
    assert_string_equal(name, "d41d8cd98f00b204e9800998ecf8427e.png");
}

static void uris_are_those_of_file_managers(void **state)
{
    char uri[FILE_URI_MAX], path[MMD_FILE_PATH_MAX], every[260] = "/";
    (void)state;
    assert_true(file_uri_of("/home/jens/photos/me.png", uri));
    assert_string_equal(uri, "file:///home/jens/photos/me.png");
    assert_true(file_uri_of("/初/a b%#?;[]\"\\^`{|}<>\x7f\xff", uri));
    assert_string_equal(uri, "file:///%E5%88%9D/a%20b%25%23%3F%3B%5B%5D%22%5C%5E%60%7B%7C%7D%3C%3E%7F%FF");
    assert_true(file_uri_of("/-_.!~*'()/:@&=+$,", uri));
    assert_string_equal(uri, "file:///-_.!~*'()/:@&=+$,");
    for (int i = 1; i < 256; i++)
        every[i] = (char)i;
    assert_true(file_uri_of(every, uri) && file_uri_path(uri, strlen(uri), path));
    assert_string_equal(path, every);
    assert_false(file_uri_of("relative", uri));
    assert_false(file_uri_of("", uri));
}

static void the_cache_is_where_the_user_has_it(void **state)
{
    char folder[MMD_FILE_PATH_MAX];
    (void)state;
    setenv("HOME", "/home/somebody", 1);
    setenv("XDG_CACHE_HOME", "relative", 1);
    assert_true(thumbnail_cache_find(folder));
    assert_string_equal(folder, "/home/somebody/.cache/thumbnails");
    setenv("XDG_CACHE_HOME", "/var/tmp/cache", 1);
    assert_true(thumbnail_cache_find(folder));
    assert_string_equal(folder, "/var/tmp/cache/thumbnails");
}

/* --- The cache --- */

/* Returns the path of a file's picture in the cache. */
static const char *cached(const char *path, const char *part)
{
    static char text[MMD_FILE_PATH_MAX];
    char uri[FILE_URI_MAX], name[THUMBNAIL_NAME_MAX];
    assert_true(file_uri_of(path, uri));
    thumbnail_name(uri, name);
    snprintf(text, sizeof text, "%s/cache/thumbnails/%s/%s", root, part, name);
    return text;
}

static unsigned mode_of(const char *path)
{
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    return about.st_mode & 0777;
}

static void assert_found(const char *path, int64_t modified, thumbnail_found wanted)
{
    mmd_image image;
    thumbnail_found found = thumbnail_cache_read(path, modified, &image);
    if (found != wanted || (image.width != 0) != (found == THUMBNAIL_FOUND))
        fail_msg("%s: %d, not %d; %u pixels wide", path, (int)found, (int)wanted, image.width);
    mmd_image_finish(&image);
}

static void copy(const char *from, const char *to)
{
    char command[2 * MMD_FILE_PATH_MAX + 16];
    snprintf(command, sizeof command, "cp '%s' '%s'", from, to);
    assert_int_equal(system(command), 0);
}

static void pictures_are_found_until_the_file_changes(void **state)
{
    char path[MMD_FILE_PATH_MAX], other[MMD_FILE_PATH_MAX], first[MMD_FILE_PATH_MAX],
        draft[MMD_FILE_PATH_MAX + 8];
    mmd_image image = make_image(THUMBNAIL_SIZE, 100), seen;
    (void)state;
    uint64_t blocks = mmd_heap_blocks_in_use();
    snprintf(path, sizeof path, "%s", at("ミク 1.pmx"));
    snprintf(other, sizeof other, "%s", at("other.pmx"));
    assert_found(path, 77, THUMBNAIL_MISSING);
    umask(0);
    assert_true(thumbnail_cache_write(path, 77, &image));
    umask(022);
    assert_int_equal(thumbnail_cache_read(path, 77, &seen), THUMBNAIL_FOUND);
    assert_int_equal(seen.width, THUMBNAIL_SIZE);
    assert_int_equal(seen.pixels[0], 100);
    mmd_image_finish(&seen);
    assert_found(path, 78, THUMBNAIL_MISSING);
    assert_int_equal(mode_of(cached(path, "normal")), 0600);
    assert_int_equal(mode_of(at("cache/thumbnails/normal")), 0700);
    assert_int_equal(mode_of(at("cache/thumbnails")), 0700);
    snprintf(draft, sizeof draft, "ls %s/cache/thumbnails/normal | wc -l | grep -qx 1", root);
    assert_int_equal(system(draft), 0); /* no draft is left */
    /* A picture that says that it is of another file. */
    snprintf(first, sizeof first, "%s", cached(path, "normal"));
    copy(first, cached(other, "normal"));
    assert_found(other, 77, THUMBNAIL_MISSING);
    /* One of 256 pixels is as good. */
    assert_int_equal(mkdir(at("cache/thumbnails/large"), 0700), 0);
    assert_int_equal(rename(first, cached(path, "large")), 0);
    assert_found(path, 77, THUMBNAIL_FOUND);
    mmd_image_finish(&image);
    assert_int_equal(mmd_heap_blocks_in_use() + 1, blocks);
}

static void bad_pictures_are_none(void **state)
{
    char path[MMD_FILE_PATH_MAX], cut[MMD_FILE_PATH_MAX + 80];
    mmd_image image = make_image(THUMBNAIL_SIZE, 100), large = make_image(4 * THUMBNAIL_SIZE, 100);
    (void)state;
    snprintf(path, sizeof path, "%s", at("a.pmx"));
    assert_true(thumbnail_cache_write(path, 77, &large)); /* larger than the standard has any */
    assert_found(path, 77, THUMBNAIL_MISSING);
    assert_true(thumbnail_cache_write(path, 77, &image));
    assert_found(path, 77, THUMBNAIL_FOUND);
    snprintf(cut, sizeof cut, "truncate -s -60 %s", cached(path, "normal"));
    assert_int_equal(system(cut), 0);
    mmd_image seen;
    thumbnail_found found = thumbnail_cache_read(path, 77, &seen); /* what is there of it, or nothing */
    assert_true(found == THUMBNAIL_MISSING || seen.width == THUMBNAIL_SIZE);
    mmd_image_finish(&seen);
    snprintf(cut, sizeof cut, "rm %s && mkfifo %s", cached(path, "normal"), cached(path, "normal"));
    assert_int_equal(system(cut), 0);
    assert_found(path, 77, THUMBNAIL_MISSING); /* and nobody waits for a pipe */
    mmd_image_finish(&image);
    mmd_image_finish(&large);
}

static void what_cannot_be_made_is_remembered(void **state)
{
    const mmd_image none = {0};
    (void)state;
    assert_true(thumbnail_cache_write(at("a.pmx"), 77, &none));
    assert_found(at("a.pmx"), 77, THUMBNAIL_IMPOSSIBLE);
    assert_found(at("a.pmx"), 78, THUMBNAIL_MISSING);
    assert_int_equal(access(cached(at("a.pmx"), "normal"), F_OK), -1);
}

/* --- The maker --- */

static void wake(void *user)
{
    assert_ptr_equal(user, &woken);
    sem_post(&woken);
}

static thumbnails *create(double patience)
{
    thumbnails *t = thumbnails_create(at("script"), patience, wake, &woken);
    assert_non_null(t);
    thumbnails_store(t, true);
    return t;
}

/* Makes a file of this name that was last changed a while ago, and wishes for its picture. */
static thumbnail_wish wish_for(uint32_t number, const char *name)
{
    thumbnail_wish wish = {.number = number, .is_made = true, .has_cache = true};
    put(name, "x", 1);
    utime(at(name), &(struct utimbuf){1000, 1000});
    snprintf(wish.path, sizeof wish.path, "%s", at(name));
    return wish;
}

/* Waits for a picture. Returns its number and whether there is one. */
static uint32_t take(thumbnails *t, bool *is_there)
{
    uint32_t number = 0;
    mmd_image image;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    assert_int_equal(sem_timedwait(&woken, &until), 0);
    assert_true(thumbnails_take(t, &number, &image));
    *is_there = image.width == THUMBNAIL_SIZE && image.pixels[0] == 200;
    assert_true(*is_there || image.width == 0);
    mmd_image_finish(&image);
    return number;
}

/* Returns how often the script was run for a file, or any with "". */
static int runs(const char *name)
{
    char line[MMD_FILE_PATH_MAX];
    int count = 0;
    FILE *in = fopen(at("runs"), "r");
    while (in && fgets(line, sizeof line, in))
        count += strstr(line, name) != NULL;
    if (in)
        fclose(in);
    return count;
}

/* Wishes for one picture and requires that there is one, or none. */
static void expect(thumbnails *t, const thumbnail_wish *wish, bool wanted)
{
    bool is_there;
    thumbnails_want(t, wish, 1);
    assert_int_equal(take(t, &is_there), wish->number);
    if (is_there != wanted)
        fail_msg("%s: %d", wish->path, is_there);
    while (thumbnails_are_awaited(t)) /* the thread that has given it may not have ended yet */
        usleep(1000);
}

static void a_picture_is_made_once(void **state)
{
    (void)state;
    thumbnails *t = create(PATIENCE);
    const thumbnail_wish wish = wish_for(7, "dance.vmd");
    assert_false(thumbnails_are_awaited(t));
    expect(t, &wish, true);
    assert_int_equal(runs("dance.vmd"), 1);
    assert_int_equal(runs("--sandbox on"), 1);
    assert_found(wish.path, 1000, THUMBNAIL_FOUND);
    expect(t, &wish, true);
    assert_int_equal(runs("dance.vmd"), 1);
    utime(wish.path, &(struct utimbuf){2000, 2000}); /* the file has changed */
    expect(t, &wish, true);
    assert_int_equal(runs("dance.vmd"), 2);
    thumbnails_destroy(t);
}

static void nothing_is_made_or_stored_that_is_not_to_be(void **state)
{
    (void)state;
    thumbnails *t = create(PATIENCE);
    thumbnail_wish wish = wish_for(7, "picture.png");
    wish.is_made = false;
    expect(t, &wish, false);
    assert_int_equal(runs(""), 0);
    wish = wish_for(8, "in an archive.pmx");
    wish.has_cache = false;
    expect(t, &wish, true);
    assert_found(wish.path, 1000, THUMBNAIL_MISSING);
    thumbnails_clear(t);
    thumbnails_store(t, false);
    wish.has_cache = true;
    expect(t, &wish, true);
    assert_found(wish.path, 1000, THUMBNAIL_MISSING);
    unlink(wish.path);
    expect(t, &wish, false);
    thumbnails_destroy(t);
}

static void bad_files_are_remembered_and_other_failures_are_not(void **state)
{
    static const struct {
        const char *name;
        thumbnail_found found;
    } cases[] = {{"bad.pmx", THUMBNAIL_IMPOSSIBLE}, {"crash.pmx", THUMBNAIL_IMPOSSIBLE},
                 {"other.pmx", THUMBNAIL_MISSING},  {"rubbish.pmx", THUMBNAIL_MISSING},
                 {"large.pmx", THUMBNAIL_MISSING},  {"endless.pmx", THUMBNAIL_MISSING}};
    (void)state;
    thumbnails *t = create(PATIENCE);
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const thumbnail_wish wish = wish_for(i, cases[i].name);
        expect(t, &wish, false);
        assert_found(wish.path, 1000, cases[i].found);
        expect(t, &wish, false);
        assert_int_equal(runs(cases[i].name), cases[i].found == THUMBNAIL_IMPOSSIBLE ? 1 : 2);
    }
    thumbnails_destroy(t);
}

/* Waits until the processes of all runs have ended. */
static void assert_all_ended(void)
{
    char line[MMD_FILE_PATH_MAX];
    FILE *in = fopen(at("runs"), "r");
    assert_non_null(in);
    while (fgets(line, sizeof line, in)) {
        const pid_t child = (pid_t)atoi(strrchr(line, ' '));
        assert_true(child > 1);
        for (int i = 0; kill(child, 0) == 0 && i < PATIENCE * 100; i++)
            usleep(10000);
        assert_int_equal(kill(child, 0), -1);
    }
    fclose(in);
}

static void what_hangs_is_killed(void **state)
{
    (void)state;
    thumbnails *t = create(0.5);
    const thumbnail_wish wish = wish_for(1, "hang.pmx"), silent = wish_for(2, "silent.pmx");
    expect(t, &wish, false);
    assert_found(wish.path, 1000, THUMBNAIL_MISSING); /* perhaps the machine was busy */
    expect(t, &silent, false);
    assert_all_ended();
    thumbnails_destroy(t);
}

static void wait_for_runs(int count)
{
    for (int i = 0; runs("") < count && i < PATIENCE * 100; i++)
        usleep(10000);
    assert_int_equal(runs(""), count);
}

static void two_at_most_are_made_and_others_are_given_up(void **state)
{
    thumbnail_wish wishes[4];
    bool is_there;
    (void)state;
    thumbnails *t = create(PATIENCE);
    for (uint32_t i = 0; i < 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "hang %u.pmx", (unsigned)i);
        wishes[i] = wish_for(i, name);
    }
    thumbnails_want(t, wishes, 4);
    wait_for_runs(2);
    usleep(200000);
    assert_int_equal(runs(""), 2);
    const thumbnail_wish other = wish_for(9, "dance.vmd");
    thumbnails_want(t, &other, 1); /* the page was scrolled: the last two are not wanted any more */
    assert_true(thumbnails_are_awaited(t));
    double begun = clock_seconds();
    thumbnails_clear(t);
    assert_true(clock_seconds() - begun < 5);
    assert_false(thumbnails_are_awaited(t));
    assert_all_ended();
    assert_int_equal(runs(""), 2);
    assert_int_equal(sem_trywait(&woken), -1); /* what was given up wakes nobody up */
    thumbnails_want(t, &other, 1);
    assert_int_equal(take(t, &is_there), 9);
    assert_true(is_there);
    thumbnails_destroy(t);
    assert_int_equal(runs("hang"), 2);
}

static void ending_waits_for_nobody(void **state)
{
    (void)state;
    thumbnails *t = create(PATIENCE);
    const thumbnail_wish wish = wish_for(1, "hang.pmx");
    thumbnails_want(t, &wish, 1);
    wait_for_runs(1);
    double begun = clock_seconds();
    thumbnails_destroy(t);
    assert_true(clock_seconds() - begun < 5);
    assert_all_ended();
}

static void a_program_that_is_gone_makes_nothing(void **state)
{
    (void)state;
    thumbnails *t = thumbnails_create(at("nowhere"), PATIENCE, wake, &woken);
    const thumbnail_wish wish = wish_for(1, "dance.vmd");
    expect(t, &wish, false);
    thumbnails_destroy(t);
}

#define IN_A_ROOT(test) cmocka_unit_test_setup_teardown(test, make_root, remove_root)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_those_of_the_standard),
        cmocka_unit_test(uris_are_those_of_file_managers),
        cmocka_unit_test(the_cache_is_where_the_user_has_it),
        IN_A_ROOT(pictures_are_found_until_the_file_changes),
        IN_A_ROOT(bad_pictures_are_none),
        IN_A_ROOT(what_cannot_be_made_is_remembered),
        IN_A_ROOT(a_picture_is_made_once),
        IN_A_ROOT(nothing_is_made_or_stored_that_is_not_to_be),
        IN_A_ROOT(bad_files_are_remembered_and_other_failures_are_not),
        IN_A_ROOT(what_hangs_is_killed),
        IN_A_ROOT(two_at_most_are_made_and_others_are_given_up),
        IN_A_ROOT(ending_waits_for_nobody),
        IN_A_ROOT(a_program_that_is_gone_makes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
