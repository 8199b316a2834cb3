#include "stranger.h"

#include <errno.h>

#include "folder.h"
#include "mmd/format.h"
#include "pictures.h"

enum { MARK = 48 }; /* bytes of a picture by which it is recognised */

static const char key[] = "-----BEGIN PRIVATE KEY-----\nthe user's own\n";

/* A square of two faces. Its name is that of a private file. */
static const char secret_x[] = "xof 0303txt 0032\n"
                               "Mesh { 4; 0;0;0;, 1;0;0;, 1;1;0;, 0;1;0;; 1; 4;0,1,2,3;;\n}\n";

static void make_path(const char *root, const char *name, char path[1024])
{
    assert_true(snprintf(path, 1024, "%s/%s", root, name) < 1024);
    for (char *slash = strchr(path + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        assert_true(platform_make_folder(path, 0777) || errno == EEXIST);
        *slash = '/';
    }
}

void stranger_write(const char *root, const char *name, const void *data, size_t size)
{
    char path[1024];
    make_path(root, name, path);
    assert_int_equal(mmd_file_write(path, data, size, NULL), MMD_OK);
}

void stranger_write_text(const char *root, const char *name, const char *text)
{
    stranger_write(root, name, text, strlen(text));
}

void stranger_link(const char *root, const char *name, const char *target)
{
    char path[1024];
    make_path(root, name, path);
    assert_true(test_link(target, path));
}

void stranger_picture(bool is_private, mmd_buffer *out)
{
    mmd_image image = picture_noise(16, 16, is_private ? 7 : 1);
    assert_int_equal(mmd_png_write(&image, &(mmd_png_options){0}, out, NULL), MMD_OK);
    mmd_image_finish(&image);
}

static bool holds(const void *data, size_t size, const void *part, size_t length)
{
    const uint8_t *bytes = data;
    for (size_t at = 0; at + length <= size; at++)
        if (memcmp(bytes + at, part, length) == 0)
            return true;
    return false;
}

static bool holds_picture(const void *data, size_t size, bool is_private)
{
    mmd_buffer picture = {0};
    stranger_picture(is_private, &picture);
    bool found = holds(data, size, picture.data + picture.size / 2, MARK);
    mmd_buffer_finish(&picture);
    return found;
}

bool stranger_leaks(const void *data, size_t size)
{
    return holds_picture(data, size, true) || holds(data, size, key, sizeof key - 1);
}

bool stranger_shows(const void *data, size_t size)
{
    return holds_picture(data, size, false);
}

void stranger_home(const char *root)
{
    static const char *const private[] = {"home/.ssh/key.png", "home/Pictures/private.png",
                                          "home/Downloads/other/o.png", "home/Downloads/miku/.hid/a.png"};
    mmd_buffer picture = {0}, plain = {0};
    stranger_picture(true, &picture);
    stranger_picture(false, &plain);
    for (size_t i = 0; i < sizeof private / sizeof *private; i++)
        stranger_write(root, private[i], picture.data, picture.size);
    stranger_write(root, "home/Downloads/miku/tex/ok.png", plain.data, plain.size);
    mmd_buffer_finish(&picture);
    mmd_buffer_finish(&plain);
    stranger_write_text(root, "home/.ssh/id_rsa", key);
    stranger_write_text(root, "home/Downloads/miku/text.png", key);
    stranger_write_text(root, "home/Pictures/secret.x", secret_x);
    stranger_link(root, "home/Downloads/miku/link.png", "../../Pictures/private.png");
    stranger_link(root, "home/Downloads/miku/linkdir", "../../Pictures");
    stranger_link(root, "home/Downloads/miku/hidden.png", ".hid/a.png");
    stranger_link(root, "home/Downloads/miku/in.png", "tex/ok.png");
}

static void *make(mmd_model *model, size_t count, size_t size)
{
    void *memory = mmd_arena_alloc(&model->arena, count, size);
    assert_non_null(memory);
    return memory;
}

static void make_triangle(mmd_model *model)
{
    mmd_vertices *v = &model->vertices;
    v->count = 3;
    v->position = make(model, 3, sizeof *v->position);
    v->normal = make(model, 3, sizeof *v->normal);
    v->uv = make(model, 3, sizeof *v->uv);
    v->deform = make(model, 3, sizeof *v->deform);
    v->bone = make(model, 3, sizeof *v->bone);
    v->weight = make(model, 3, sizeof *v->weight);
    v->edge_scale = make(model, 3, sizeof *v->edge_scale);
    for (int i = 0; i < 3; i++) {
        v->position[i][0] = v->uv[i][0] = i == 1;
        v->position[i][1] = v->uv[i][1] = i == 2;
        v->normal[i][2] = -1;
        v->bone[i][1] = v->bone[i][2] = v->bone[i][3] = -1;
        v->weight[i][0] = v->edge_scale[i] = 1;
    }
}

void stranger_model(const char *const *textures, uint32_t count, mmd_buffer *out)
{
    mmd_model model = {.version = 2.0f, .name = "m", .name_en = "", .comment = "", .comment_en = ""};
    make_triangle(&model);
    model.texture_count = model.material_count = count;
    model.textures = make(&model, count, sizeof *model.textures);
    model.materials = make(&model, count, sizeof *model.materials);
    model.index_count = 3 * count;
    model.indices = make(&model, model.index_count, sizeof *model.indices);
    for (uint32_t i = 0; i < count; i++) {
        model.textures[i] = textures[i];
        for (uint32_t k = 0; k < 3; k++)
            model.indices[3 * i + k] = k;
        model.materials[i] = (mmd_material){.name = "",
                                            .name_en = "",
                                            .memo = "",
                                            .diffuse = {1, 1, 1, 1},
                                            .texture = (int32_t)i,
                                            .sphere = -1,
                                            .toon = -1,
                                            .first_index = 3 * i,
                                            .index_count = 3};
    }
    mmd_bone bone = {
        .name = "b", .name_en = "", .parent = -1, .tail_bone = -1, .append_source = -1, .ik_target = -1};
    model.bones = &bone;
    model.bone_count = 1;
    assert_int_equal(mmd_pmx_write(&model, out, NULL), MMD_OK);
    mmd_arena_finish(&model.arena);
}
