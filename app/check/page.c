/*
 * index.html: the page of check_page.html with the results and thumbnails
 * put into it, worst scene first. The first ones carry their thumbnails
 * inside; the page of a suite of thousands takes the others from the folder.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/paths.h"
#include "internal.h"
#include "mmd/memory.h"
#include "mmd/source.h"
#include "odori_check_page.h"
#include "base/output.h"

enum { THUMBS_INSIDE = 200 };

static const char place_of_data[] = "/*RESULTS*/";

typedef struct ranked {
    const json_t *scene;
    int rank;
    double mean;
    size_t place;
} ranked;

static double worst_mean(const json_t *scene)
{
    const json_t *frames = json_object_get(scene, "frames");
    double worst = 0;
    for (size_t i = 0; i < json_array_size(frames); i++) {
        const json_t *metrics = json_object_get(json_array_get(frames, i), "metrics");
        double mean = json_number_value(json_object_get(metrics, "mean"));
        worst = mean > worst ? mean : worst;
    }
    return worst;
}

static int rank_of(const json_t *scene)
{
    static const char *const order[] = {"error", "no baseline", "fail", "accepted", "pass"};
    const char *status = json_string_value(json_object_get(scene, "status"));
    for (int i = 0; i < 5; i++)
        if (status && strcmp(status, order[i]) == 0)
            return i;
    return 0;
}

static int by_badness(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->mean > y->mean || x->mean < y->mean)
        return x->mean > y->mean ? -1 : 1;
    return x->place < y->place ? -1 : 1;
}

/* "data:image/png;base64,…"; NULL: no such file, or out of memory. */
static char *data_uri(const char *path)
{
    static const char head[] = "data:image/png;base64,";
    mmd_bytes bytes = {0};
    if (mmd_file_read(path, &bytes, NULL) != MMD_OK)
        return NULL;
    char *uri = mmd_alloc(sizeof head + BASE64_LENGTH(bytes.size));
    if (uri) {
        memcpy(uri, head, sizeof head);
        base64_text(bytes.data, bytes.size, uri + sizeof head - 1);
    }
    mmd_bytes_finish(&bytes);
    return uri;
}

/* The scene as the page wants it: its thumbnail inside, where it still may. */
static json_t *scene_of_page(const json_t *scene, const char *folder, size_t place)
{
    char path[PATH_MAX];
    json_t *copy = json_copy((json_t *)(uintptr_t)scene);
    const char *thumb = json_string_value(json_object_get(scene, "thumb"));
    char *uri = thumb && place < THUMBS_INSIDE ? data_uri(path_join(path, folder, "%s", thumb)) : NULL;
    if (uri)
        json_object_set_new(copy, "inside", json_string_nocheck(uri));
    mmd_free(uri);
    return copy;
}

static json_t *page_data(const char *folder, const json_t *whole)
{
    const json_t *scenes = json_object_get(whole, "scenes");
    size_t count = json_array_size(scenes);
    ranked *list = mmd_alloc(count * sizeof *list);
    json_t *data = json_copy((json_t *)(uintptr_t)whole), *sorted = json_array();
    for (size_t i = 0; list && i < count; i++) {
        const json_t *scene = json_array_get(scenes, i);
        list[i] = (ranked){scene, rank_of(scene), worst_mean(scene), i};
    }
    if (list)
        qsort(list, count, sizeof *list, by_badness);
    for (size_t i = 0; list && i < count; i++)
        json_array_append_new(sorted, scene_of_page(list[i].scene, folder, i));
    mmd_free(list);
    json_object_set_new(data, "scenes", sorted);
    return data;
}

/* Inside of a script element nothing may look like its end. */
static void put_script(FILE *out, const char *json)
{
    for (; *json; json++) {
        if (*json == '<')
            fputs("\\u003c", out);
        else
            putc(*json, out);
    }
}

bool check_page_write(const char *folder, const json_t *whole)
{
    char path[PATH_MAX];
    output out;
    const char *place = strstr(report_html, place_of_data);
    json_t *data = page_data(folder, whole);
    char *json = data ? json_dumps(data, JSON_COMPACT) : NULL;
    bool ok = json && place && output_open(&out, path_join(path, folder, "index.html"));
    if (ok) {
        fwrite(report_html, 1, (size_t)(place - report_html), out.stream);
        put_script(out.stream, json);
        fputs(place + strlen(place_of_data), out.stream);
        ok = output_commit(&out);
    }
    free(json);
    json_decref(data);
    return ok;
}
