/* Tests opening models and motions by paths: in folders, in archives, and what is chosen of several files. */
#include "folder.h"
#include "made_archive.h"
#include "mmd/archive.h"
#include "mmd/assemble.h"
#include "sample_motions.h"
#include "stranger.h"

static char work[MMD_FILE_PATH_MAX];

/* Makes the folder of this process, and one file of each kind in "one": a model with two textures of which
 * one is there, and a motion. */
static int setup(void **state)
{
    static const char *const textures[] = {"tex/a.png", "../../none.png"};
    mmd_buffer model = {0}, picture = {0};
    (void)state;
    test_folder_make(work);
    stranger_model(textures, 2, &model);
    stranger_picture(false, &picture);
    stranger_write(work, "one/m.pmx", model.data, model.size);
    stranger_write(work, "one/tex/a.png", picture.data, picture.size);
    mmd_buffer_finish(&model);
    mmd_buffer_finish(&picture);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    test_folder_remove(work);
    return 0;
}

/* Writes the path of a file of the test to a buffer that later calls overwrite in turn. */
static const char *at(const char *name)
{
    static char texts[4][MMD_FILE_PATH_MAX + 64];
    static int next;
    char *text = texts[next++ % 4];
    snprintf(text, sizeof texts[0], "%s/%s", work, name);
    return text;
}

/* A log that keeps its last message. */
typedef struct heard {
    int count;
    char text[2000];
} heard;

static void hear(void *user, mmd_log_level level, const char *text)
{
    heard *h = user;
    assert_int_equal(level, MMD_LOG_INFO);
    h->count++;
    snprintf(h->text, sizeof h->text, "%s", text);
}

/* Makes a motion: of bones, or of the camera alone. Appends it to out. */
static void put_motion(bool is_camera, mmd_buffer *out)
{
    mmd_motion motion;
    sample_motion(&motion);
    if (is_camera)
        motion.bone_track_count = motion.morph_track_count = 0;
    else
        motion.camera_key_count = 0;
    assert_int_equal(mmd_vmd_write(&motion, out, NULL), MMD_OK);
    sample_motion_finish(&motion);
}

static void write_motion(const char *name, bool is_camera)
{
    mmd_buffer bytes = {0};
    put_motion(is_camera, &bytes);
    stranger_write(work, name, bytes.data, bytes.size);
    mmd_buffer_finish(&bytes);
}

/* Reads a model and checks that its first texture is found and is a picture, and that its second is refused.
 */
static void check_model(const char *path)
{
    const uint64_t blocks = mmd_heap_blocks_in_use();
    mmd_model_file file;
    mmd_error error = {0};
    char found[MMD_PATH_MAX];
    if (mmd_model_file_read(path, &file, &error) != MMD_OK)
        fail_msg("%s: %s", path, error.message);
    assert_non_null(file.model);
    assert_null(file.vac);
    assert_null(file.document);
    assert_int_equal(file.model->texture_count, 2);
    assert_int_equal(mmd_textures_find(&file.textures, file.model->textures[0], found, &error), MMD_OK);
    assert_true(mmd_textures_decode(&file.textures, found, &error));
    assert_int_equal(mmd_textures_find(&file.textures, file.model->textures[1], found, &error),
                     MMD_ERROR_REFUSED);
    mmd_model_file_finish(&file);
    assert_null(file.model);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

/* Checks how reading a model fails. */
static void check_failure(const char *name, mmd_status wanted, const char *message)
{
    const uint64_t blocks = mmd_heap_blocks_in_use();
    mmd_model_file file;
    mmd_error error = {0};
    mmd_status status = mmd_model_file_read(at(name), &file, &error);
    if (status != wanted || !strstr(error.message, message))
        fail_msg("%s: %d, %s", name, status, error.message);
    assert_true(error.file[0]);
    assert_null(file.model);
    assert_null(file.textures.source);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

/* --- Models --- */

static void models_are_read_with_their_textures(void **state)
{
    (void)state;
    check_model(at("one/m.pmx"));
    check_model(at("one")); /* the folder */
    check_failure("none.pmx", MMD_ERROR_NOT_FOUND, "");
    check_failure("one/tex/a.png", MMD_ERROR_MAGIC, "");
    check_failure("one/tex", MMD_ERROR_NOT_FOUND, "it contains no model or accessory");
}

static void models_in_archives_are_read(void **state)
{
    static const made_kind kinds[] = {MADE_ZIP, MADE_7Z, MADE_TAR_GZ};
    static const char *const ends[] = {"", "/", "/miku/m.pmx", "/miku"};
    char name[64], path[MMD_FILE_PATH_MAX + 128], archive[MMD_FILE_PATH_MAX], found[MMD_PATH_MAX];
    mmd_bytes model = {0}, picture = {0};
    mmd_model_file file;
    (void)state;
    assert_int_equal(mmd_file_read(at("one/m.pmx"), &model, NULL), MMD_OK);
    assert_int_equal(mmd_file_read(at("one/tex/a.png"), &picture, NULL), MMD_OK);
    const made_file files[] = {{"miku/m.pmx", model.data, model.size},
                               {"miku/tex/a.png", picture.data, picture.size},
                               {"none.png", "x", 1}};
    const uint64_t blocks = mmd_heap_blocks_in_use();
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        mmd_bytes bytes = made_archive(kinds[i], files, 3, NULL);
        snprintf(name, sizeof name, "packed.%s", made_kind_name(kinds[i]));
        stranger_write(work, name, bytes.data, bytes.size);
        mmd_bytes_finish(&bytes);
        for (size_t end = 0; end < sizeof ends / sizeof *ends; end++) {
            snprintf(path, sizeof path, "%s%s", at(name), ends[end]);
            if (mmd_model_file_read(path, &file, NULL) != MMD_OK)
                fail_msg("%s", path);
            assert_string_equal(file.textures.folder, "miku");
            assert_int_equal(mmd_textures_find(&file.textures, "TEX\\A.PNG", found, NULL), MMD_OK);
            assert_string_equal(found, "miku/tex/a.png");
            assert_true(mmd_textures_decode(&file.textures, found, NULL));
            mmd_model_file_finish(&file);
            assert_true(mmd_locate_archive(path, archive));
            assert_string_equal(archive, at(name));
        }
    }
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
    assert_false(mmd_locate_archive(at("one/m.pmx"), archive));
    check_failure("packed.zip/miku/none.pmx", MMD_ERROR_NOT_FOUND, "the archive packed.zip has no such file");
    mmd_bytes_finish(&model);
    mmd_bytes_finish(&picture);
    assert_int_equal(mmd_archives_kept(), 0);
}

static void the_largest_model_is_chosen_and_told(void **state)
{
    static const char *const one[] = {"a.png"}, *const more[] = {"a.png", "b.png", "c.png"};
    char text[2 * MMD_FILE_PATH_MAX];
    mmd_buffer small = {0}, large = {0};
    mmd_model_file file;
    heard h = {0};
    const mmd_log log = {hear, &h, MMD_LOG_INFO};
    (void)state;
    stranger_model(one, 1, &small);
    stranger_model(more, 3, &large);
    stranger_write(work, "two/small.pmx", small.data, small.size);
    stranger_write(work, "two/large.pmx", large.data, large.size);
    stranger_write_text(work, "two/x/dance.vmd", "no model");
    assert_int_equal(mmd_model_file_choose(at("two"), &log, &file, NULL), MMD_OK);
    assert_int_equal(file.model->texture_count, 3);
    mmd_model_file_finish(&file);
    snprintf(text, sizeof text, "%s: using large.pmx; it also contains small.pmx", at("two"));
    assert_string_equal(h.text, text);
    assert_int_equal(h.count, 1);
    assert_int_equal(mmd_model_file_choose(at("two/small.pmx"), &log, &file, NULL), MMD_OK);
    assert_int_equal(file.model->texture_count, 1);
    mmd_model_file_finish(&file);
    assert_int_equal(mmd_model_file_read(at("two"), &file, NULL), MMD_OK); /* without a log */
    assert_int_equal(file.model->texture_count, 3);
    mmd_model_file_finish(&file);
    assert_int_equal(h.count, 1);
    mmd_buffer_finish(&small);
    mmd_buffer_finish(&large);
}

#define SQUARE "xof 0303txt 0032\nMesh { 4; 0;0;0;, 1;0;0;, 1;1;0;, 0;1;0;; 1; 4;0,1,2,3;;\n}\n"

static void placements_bring_their_accessory(void **state)
{
    mmd_model_file file;
    mmd_error error = {0};
    (void)state;
    stranger_write_text(work, "stage/tool/square.x", SQUARE);
    stranger_write_text(work, "stage/good.vac", "tool\r\nTOOL\\square.x\r\n1.5\r\n0,1,0\r\n0,0,0\r\n\r\n");
    stranger_write_text(work, "stage/bad.vac",
                        "tool\r\n..\\..\\one\\square.x\r\n1\r\n0,0,0\r\n0,0,0\r\n\r\n");
    stranger_write_text(work, "stage/none.vac", "tool\r\nnone.x\r\n1\r\n0,0,0\r\n0,0,0\r\n\r\n");
    if (mmd_model_file_read(at("stage/good.vac"), &file, &error) != MMD_OK)
        fail_msg("%s", error.message);
    assert_non_null(file.vac);
    assert_true(file.vac->scale == 1.5F);
    assert_string_equal(file.model->name, "square.x");
    assert_string_equal(mmd_path_name(file.textures.folder), "tool"); /* textures are beside the .x */
    mmd_model_file_finish(&file);
    check_failure("stage/bad.vac", MMD_ERROR_REFUSED, "not opened, because it leads more than one folder up");
    check_failure("stage/none.vac", MMD_ERROR_NOT_FOUND, "\"none.x\" that it names was not found");
}

/* Makes a glTF of one triangle whose buffer is a file. */
static void write_gltf(const char *name, const char *buffer)
{
    char text[1024];
    snprintf(text, sizeof text,
             "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"buffers\":[{\"byteLength\":36,"
             "\"uri\":\"%s\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
             "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
             "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"material\":0}]}],"
             "\"images\":[{\"uri\":\"tex/a.png\"}],\"textures\":[{\"source\":0}],\"materials\":["
             "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}}]}",
             buffer);
    stranger_write_text(work, name, text);
}

/* The same as GLB: the JSON is the only chunk, padded with blanks. */
static void write_glb(const char *name, const char *gltf)
{
    mmd_bytes json = {0};
    mmd_buffer glb = {0};
    assert_int_equal(mmd_file_read(at(gltf), &json, NULL), MMD_OK);
    uint32_t size = (uint32_t)(json.size + 3) / 4 * 4;
    mmd_write_u32(&glb, 0x46546c67);
    mmd_write_u32(&glb, 2);
    mmd_write_u32(&glb, 20 + size);
    mmd_write_u32(&glb, size);
    mmd_write_u32(&glb, 0x4e4f534a);
    mmd_write_bytes(&glb, json.data, json.size);
    mmd_write_bytes(&glb, "   ", size - json.size);
    stranger_write(work, name, glb.data, glb.size);
    mmd_buffer_finish(&glb);
    mmd_bytes_finish(&json);
}

static void interchange_files_find_what_is_beside_them(void **state)
{
    static const float numbers[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    mmd_bytes picture = {0};
    (void)state;
    assert_int_equal(mmd_file_read(at("one/tex/a.png"), &picture, NULL), MMD_OK);
    stranger_write(work, "glb/tex/a.png", picture.data, picture.size);
    stranger_write(work, "glb/data.bin", numbers, sizeof numbers);
    stranger_write(work, "glb/.hidden.bin", numbers, sizeof numbers);
    stranger_write(work, "glb/data.txt", numbers, sizeof numbers);
    mmd_bytes_finish(&picture);
    write_gltf("glb/good.gltf", "data.bin");
    write_gltf("glb/hidden.gltf", ".hidden.bin");
    write_gltf("glb/kind.gltf", "data.txt");
    write_glb("glb/good.glb", "glb/good.gltf");
    const uint64_t blocks = mmd_heap_blocks_in_use();
    for (int i = 0; i < 2; i++) {
        mmd_model_file file;
        mmd_error error = {0};
        char found[MMD_PATH_MAX];
        if (mmd_model_file_read(at(i ? "glb/good.gltf" : "glb/good.glb"), &file, &error) != MMD_OK)
            fail_msg("%s: %s", error.section, error.message);
        assert_non_null(file.document);
        assert_ptr_equal(file.model, file.document->model);
        assert_int_equal(file.model->vertices.count, 3);
        assert_int_equal(mmd_textures_find(&file.textures, file.model->textures[0], found, &error), MMD_OK);
        assert_true(mmd_textures_decode(&file.textures, found, &error));
        mmd_model_file_finish(&file);
    }
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
    check_failure("glb/hidden.gltf", MMD_ERROR_REFUSED, "a part of its name begins with a dot");
    check_failure("glb/kind.gltf", MMD_ERROR_REFUSED, "or a buffer's (bin, glbin, glbuf)");
}

/* --- Motions --- */

static void motions_are_read_from_either_kind(void **state)
{
    mmd_vpd pose;
    mmd_motion *motion;
    mmd_buffer bytes = {0};
    mmd_error error = {0};
    (void)state;
    sample_pose(&pose);
    assert_int_equal(mmd_vpd_write(&pose, &bytes, NULL), MMD_OK);
    const made_file packed = {"a.vpd", bytes.data, bytes.size};
    mmd_bytes zip = made_archive(MADE_ZIP, &packed, 1, NULL);
    stranger_write(work, "poses.zip", zip.data, zip.size);
    mmd_bytes_finish(&zip);
    mmd_buffer_finish(&bytes);
    write_motion("dances/dance.vmd", false);
    write_motion("dances/camera.vmd", true);

    assert_int_equal(mmd_motion_file_read(at("poses.zip/a.vpd"), &motion, &error), MMD_OK);
    assert_int_equal(motion->bone_track_count, pose.bone_count);
    assert_true(mmd_motion_is_for_models(motion) && !mmd_motion_is_for_stage(motion));
    assert_false(mmd_motion_is_dance(motion));
    mmd_motion_destroy(motion);
    sample_pose_finish(&pose);
    assert_int_equal(mmd_motion_file_read(at("dances/camera.vmd"), &motion, &error), MMD_OK);
    assert_true(mmd_motion_is_for_stage(motion));
    mmd_motion_destroy(motion);
    assert_int_equal(mmd_motion_file_read(at("one/m.pmx"), &motion, &error), MMD_ERROR_MAGIC);
    assert_null(motion);
    assert_string_equal(error.message, "a model instead of a motion (VMD) or a pose (VPD)");
    assert_string_equal(mmd_path_name(error.file), "m.pmx");
}

static void motions_are_chosen_by_what_they_move(void **state)
{
    char chosen[MMD_FILE_PATH_MAX], text[2 * MMD_FILE_PATH_MAX];
    mmd_error error = {0};
    heard h = {0};
    const mmd_log log = {hear, &h, MMD_LOG_INFO};
    (void)state;
    write_motion("dances/dance.vmd", false);
    write_motion("dances/camera.vmd", true);
    assert_int_equal(mmd_locate_choose(at("dances"), MMD_LOCATE_MOTION, &log, chosen, NULL), MMD_OK);
    assert_string_equal(chosen, at("dances/dance.vmd"));
    snprintf(text, sizeof text, "%s: using dance.vmd; it also contains camera.vmd", at("dances"));
    assert_string_equal(h.text, text);
    assert_int_equal(mmd_locate_choose(at("dances"), MMD_LOCATE_CAMERA, NULL, chosen, NULL), MMD_OK);
    assert_string_equal(chosen, at("dances/camera.vmd"));
    write_motion("dances/other.vmd", false);
    assert_int_equal(mmd_locate_choose(at("dances"), MMD_LOCATE_MOTION, NULL, chosen, &error),
                     MMD_ERROR_VALUE);
    assert_non_null(strstr(error.message, "it contains 3 of them; choose one as FILE/NAME"));
    assert_true(platform_remove(at("dances/other.vmd")));
    assert_int_equal(mmd_locate_choose(at("dances"), MMD_LOCATE_SOUND, NULL, chosen, &error),
                     MMD_ERROR_NOT_FOUND);
    assert_false(mmd_locate_only_sound(at("dances"), chosen));
    stranger_write_text(work, "dances/music.ogg", "");
    assert_true(mmd_locate_only_sound(at("dances"), chosen));
    assert_string_equal(chosen, at("dances/music.ogg"));
    assert_true(platform_remove(at("dances/music.ogg")));
}

static void what_a_drop_does_not_open_is_told(void **state)
{
    char text[2 * MMD_FILE_PATH_MAX];
    const char **paths;
    size_t count;
    mmd_arena arena = {0};
    heard h = {0};
    const mmd_log log = {hear, &h, MMD_LOG_INFO};
    (void)state;
    stranger_write_text(work, "drop/a.pmx", "larger");
    stranger_write_text(work, "drop/b.pmx", "small");
    stranger_write_text(work, "drop/c.vmd", "");
    stranger_write_text(work, "drop/d.vpd", "");
    stranger_write_text(work, "drop/e.wav", "");
    assert_int_equal(mmd_locate_sort(at("drop"), &log, &arena, &paths, &count, NULL), MMD_OK);
    assert_int_equal(count, 3);
    assert_string_equal(paths[0], at("drop/a.pmx"));
    assert_string_equal(paths[1], at("drop/c.vmd"));
    assert_string_equal(paths[2], at("drop/e.wav"));
    snprintf(text, sizeof text, "%s: these files are not opened: b.pmx, d.vpd", at("drop"));
    assert_string_equal(h.text, text);
    assert_int_equal(mmd_locate_sort(at("drop/b.pmx"), &log, &arena, &paths, &count, NULL), MMD_OK);
    assert_int_equal(count, 1);
    assert_int_equal(h.count, 1);
    mmd_arena_finish(&arena);
}

/* --- Projects --- */

static bool keep_some(const void *user, const char *path, char why[MMD_PROJECT_WHY_MAX])
{
    assert_string_equal(user, "user");
    if (!strstr(path, "kept"))
        return true;
    snprintf(why, MMD_PROJECT_WHY_MAX, "is kept");
    return false;
}

static void projects_find_their_files(void **state)
{
    static mmd_project_folders places; /* large */
    char path[MMD_FILE_PATH_MAX], text[2 * MMD_FILE_PATH_MAX];
    heard h = {0};
    const mmd_log log = {hear, &h, MMD_LOG_INFO};
    (void)state;
    stranger_write_text(work, "mmd/UserFile/Projects/dance.pmm", "");
    stranger_write_text(work, "mmd/UserFile/Model/m.pmx", "");
    stranger_write_text(work, "mmd/UserFile/kept/k.pmx", "");
    stranger_write_text(work, "outside.pmx", "");
    bool has_link = test_link("../../../outside.pmx", at("mmd/UserFile/Model/link.pmx"));
    assert_true(mmd_project_folders_init(&places, at("mmd/UserFile/Projects/dance.pmm")));
    assert_true(mmd_project_find(&places, "C:\\mmd\\UserFile\\MODEL\\M.pmx", path));
    assert_string_equal(path, at("mmd/UserFile/Model/m.pmx"));
    assert_true(mmd_project_find(&places, "kept/k.pmx", path));
    assert_false(mmd_project_find(&places, "Model\\link.pmx", path));
    if (has_link)
        assert_non_null(strstr(mmd_project_missing(&places), "is a link that leads out of"));
    else
        test_skip_part("no symbolic links");
    assert_false(mmd_project_find(&places, "none.pmx", path));
    assert_string_equal(mmd_project_missing(&places), "is neither in its folder nor in the two above");
    places.permit = keep_some;
    places.permit_user = "user";
    assert_true(mmd_project_find(&places, "Model/m.pmx", path));
    assert_false(mmd_project_find(&places, "kept/k.pmx", path));
    assert_string_equal(mmd_project_missing(&places), "is kept");
    const mmd_project with = {.wave_on = 1, .wave = {.text = "C:\\none.wav"}}, without = {.wave = with.wave};
    assert_false(mmd_project_find_sound(&places, &with, "dance.pmm", &log, path));
    snprintf(text, sizeof text, "dance.pmm: the sound \"C:\\none.wav\" %s, so there is no sound",
             "is neither in its folder nor in the two above");
    assert_string_equal(h.text, text);
    assert_false(mmd_project_find_sound(&places, &without, "dance.pmm", &log, path));
    assert_int_equal(h.count, 1);
    mmd_project_folders_finish(&places);
}

static void projects_in_archives_find_their_files_there(void **state)
{
    static const made_file files[] = {{"a/p/dance.pmm", "x", 1}, {"a/Model/m.pmx", "x", 1}};
    static mmd_project_folders places; /* large */
    char path[MMD_FILE_PATH_MAX];
    (void)state;
    mmd_bytes zip = made_archive(MADE_ZIP, files, 2, NULL);
    stranger_write(work, "project.zip", zip.data, zip.size);
    mmd_bytes_finish(&zip);
    assert_true(mmd_project_folders_init(&places, at("project.zip/a/p/dance.pmm")));
    assert_true(mmd_project_find(&places, "D:\\model\\m.pmx", path));
    assert_string_equal(path, at("project.zip/a/Model/m.pmx"));
    assert_false(mmd_project_find(&places, "none.pmx", path));
    mmd_project_folders_finish(&places);
}

/* --- Names --- */

static void kinds_go_by_endings(void **state)
{
    static const struct {
        const char *name;
        mmd_name_kind kind;
    } cases[] = {
        {"a/b.PMX", MMD_NAME_MODEL},      {"b.x", MMD_NAME_ACCESSORY}, {"b.glb", MMD_NAME_INTERCHANGE},
        {"b.pmm", MMD_NAME_PROJECT},      {"b.vmd", MMD_NAME_MOTION},  {"b.vpd", MMD_NAME_POSE},
        {"b.tar.gz", MMD_NAME_ARCHIVE},   {"b.gz", MMD_NAME_OTHER},    {"pmx", MMD_NAME_OTHER},
        {"b.png", MMD_NAME_PICTURE},      {"b.tga", MMD_NAME_TEXTURE}, {"b.pmx/b.wav", MMD_NAME_SOUND},
        {"b.playlist", MMD_NAME_PLAYLIST}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (mmd_name_kind_of(cases[i].name) != cases[i].kind)
            fail_msg("%s", cases[i].name);
    assert_string_equal(mmd_name_kind_ending(MMD_NAME_MODEL, 1), "pmd");
    assert_null(mmd_name_kind_ending(MMD_NAME_MODEL, 2));
    assert_null(mmd_name_kind_ending(MMD_NAME_OTHER, 0));
}

static void paths_inside_end_at_a_slash(void **state)
{
    (void)state;
    assert_true(mmd_path_is_inside("/a/b", "/a"));
    assert_true(mmd_path_is_inside("/a", "/a"));
    assert_true(mmd_path_is_inside("/a", "/"));
    assert_false(mmd_path_is_inside("/ab", "/a"));
    assert_false(mmd_path_is_inside("/", "/a"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_are_read_with_their_textures),
        cmocka_unit_test(models_in_archives_are_read),
        cmocka_unit_test(the_largest_model_is_chosen_and_told),
        cmocka_unit_test(placements_bring_their_accessory),
        cmocka_unit_test(interchange_files_find_what_is_beside_them),
        cmocka_unit_test(motions_are_read_from_either_kind),
        cmocka_unit_test(motions_are_chosen_by_what_they_move),
        cmocka_unit_test(what_a_drop_does_not_open_is_told),
        cmocka_unit_test(projects_find_their_files),
        cmocka_unit_test(projects_in_archives_find_their_files_there),
        cmocka_unit_test(kinds_go_by_endings),
        cmocka_unit_test(paths_inside_end_at_a_slash),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
