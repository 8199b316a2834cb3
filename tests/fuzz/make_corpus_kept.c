/*
 * Writes documents that carry another format's document, the corpus of fuzz_exchange: make_corpus_kept
 * FOLDER, where exchange/ exists, after make_corpus_exchange. The engine writes a PMX with bodies and joints
 * of all kinds into a glTF's extras.mmd and into a Ragdoll's MMDComponent, and each of these two formats into
 * the other.
 */
#include <jansson.h>

#include "mmd/cursor.h"
#include "mmd/exchange.h"
#include "sample_models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void stop(const char *what, const mmd_error *error)
{
    fprintf(stderr, "%s: %s %s\n", what, error ? error->section : "", error ? error->message : "");
    exit(3);
}

static void save(const char *folder, const char *name, const void *data, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        stop(path, NULL);
}

/* Returns the bytes of an output file as a data: URI. */
static json_t *file_uri(const mmd_exchange_output *output, const char *name)
{
    for (uint32_t i = 0; i < output->count; i++) {
        const mmd_exchange_file *file = &output->files[i];
        if (strcmp(file->name, name) != 0)
            continue;
        mmd_buffer text = {0};
        static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        mmd_write_bytes(&text, "data:;base64,", 13);
        for (size_t k = 0; k < file->data.size; k += 3) {
            uint32_t bits = 0, left = file->data.size - k < 3 ? (uint32_t)(file->data.size - k) : 3;
            for (uint32_t b = 0; b < left; b++)
                bits |= (uint32_t)file->data.data[k + b] << (16 - 8 * b);
            for (uint32_t d = 0; d < 4; d++)
                mmd_write_u8(&text, d <= left ? (uint8_t)digits[bits >> (18 - 6 * d) & 63] : '=');
        }
        json_t *uri = json_stringn((const char *)text.data, text.size);
        mmd_buffer_finish(&text);
        return uri;
    }
    return NULL;
}

/* Saves the main file. Separate buffers are embedded, since a fuzzer reads a single file. */
static void save_whole(const char *folder, const char *name, const mmd_exchange_output *output)
{
    const mmd_buffer *main = &output->files[0].data;
    json_t *root = json_loadb((const char *)main->data, main->size, 0, NULL), *buffer;
    size_t i;
    if (!root) { /* a GLB */
        save(folder, name, main->data, main->size);
        return;
    }
    json_array_foreach(json_object_get(root, "buffers"), i, buffer)
    {
        const char *uri = json_string_value(json_object_get(buffer, "uri"));
        json_t *whole = uri ? file_uri(output, uri) : NULL;
        if (whole)
            json_object_set_new(buffer, "uri", whole);
    }
    char *text = json_dumps(root, JSON_COMPACT);
    save(folder, name, text, strlen(text));
    free(text);
    json_decref(root);
}

/* Converts to the format that the name of the file implies. */
static void convert(const char *folder, const char *name, const mmd_exchange_input *input,
                    mmd_dialect dialect)
{
    mmd_exchange_options options = {.format =
                                        strstr(name, ".json") ? MMD_EXCHANGE_RAGDOLL : MMD_EXCHANGE_GLTF,
                                    .dialect = dialect,
                                    .binary = strstr(name, ".glb") != NULL,
                                    .name = strchr(name, '/') + 1};
    mmd_exchange_output output;
    mmd_error error = {0};
    if (mmd_exchange_write(input, &options, &output, &error) != MMD_OK)
        stop(name, &error);
    save_whole(folder, name, &output);
    mmd_exchange_output_finish(&output);
}

static void keep_model(const char *folder)
{
    mmd_buffer bytes = {0};
    mmd_model made, *model = NULL;
    mmd_error error = {0};
    sample_everything(&made, 1, 1);
    if (mmd_pmx_write(&made, &bytes, &error) != MMD_OK ||
        mmd_pmx_read(bytes.data, bytes.size, &model, &error) != MMD_OK)
        stop("sample", &error);
    mmd_exchange_input input = {.model = model, .folder = ""};
    convert(folder, "exchange/kept-pmx.glb", &input, MMD_DIALECT_KHR_COLLISION_SHAPES);
    convert(folder, "exchange/kept-pmx.gltf", &input, MMD_DIALECT_OMI_PHYSICS_JOINTS);
    convert(folder, "exchange/kept-pmx.json", &input, MMD_DIALECT_NONE);
    mmd_model_destroy(model);
    mmd_buffer_finish(&bytes);
    sample_finish(&made);
}

/* Converts a document of make_corpus_exchange to files of other formats. */
static void keep_document(const char *folder, const char *seed, const char *const *names)
{
    mmd_source *source = mmd_source_folder(folder);
    mmd_bytes bytes;
    mmd_exchange *document = NULL;
    mmd_error error = {0};
    if (!source || mmd_source_read(source, seed, &bytes, &error) != MMD_OK ||
        mmd_exchange_read(bytes.data, bytes.size, NULL, NULL, &document, &error) != MMD_OK)
        stop(seed, &error);
    mmd_exchange_input input = {.document = document, .folder = ""};
    for (; *names; names++)
        convert(folder, *names, &input,
                strstr(*names, ".json") ? MMD_DIALECT_NONE : MMD_DIALECT_KHR_IMPLICIT_SHAPES);
    mmd_exchange_destroy(document);
    mmd_bytes_finish(&bytes);
    mmd_source_destroy(source);
}

int main(int count, char **arguments)
{
    static const char *const of_gltf[] = {"exchange/kept-gltf.json", NULL};
    static const char *const of_ragdoll[] = {"exchange/kept-ragdoll.gltf", NULL};
    if (count != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", arguments[0]);
        return 2;
    }
    keep_model(arguments[1]);
    keep_document(arguments[1], "exchange/khr-seed.gltf", of_gltf);
    keep_document(arguments[1], "exchange/dump.json", of_ragdoll);
    return 0;
}
