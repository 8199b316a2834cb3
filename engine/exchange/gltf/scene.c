/* gltf_read_scene: nodes, pictures, meshes and animations of a glTF become a model. */
#include "reader.h"

static mmd_status name_model(gltf_scene *scene)
{
    gltf_file *file = scene->file;
    mmd_model *model = scene->model;
    json_spot scenes, scene_spot, nodes = json_spot_member(&file->root, "nodes");
    int32_t number;
    model->origin = MMD_ORIGIN_GLTF;
    model->version = 2;
    model->name = model->name_en = model->comment = model->comment_en = "";
    mmd_status status = gltf_list(file, "scenes", &scenes);
    if (status == MMD_OK)
        status = json_read_index(&file->reader, &file->root, "scene", json_spot_count(&scenes), &number);
    if (status != MMD_OK || json_spot_count(&nodes) == 0)
        return status;
    scene_spot = json_spot_element(&scenes, number < 0 ? 0 : (size_t)number);
    return json_read_text(&file->reader, &scene_spot, "name", &model->name);
}

mmd_status gltf_read_scene(gltf_file *file)
{
    mmd_model *model = file->document->model;
    gltf_scene scene = {.file = file, .model = model};
    model->arena.limit = file->document->arena.limit;
    mmd_status status = name_model(&scene);
    if (status == MMD_OK)
        status = gltf_read_nodes(&scene);
    if (status == MMD_OK)
        status = gltf_read_images(&scene);
    if (status == MMD_OK)
        status = gltf_read_meshes(&scene);
    if (status == MMD_OK)
        status = gltf_read_animations(&scene);
    if (status == MMD_OK)
        gltf_mark_animated(&scene);
    if (status == MMD_OK)
        status = gltf_carry_bones(&scene);
    if (status == MMD_OK)
        status = mmd_model_prepare(model, file->reader.error);
    model->arena.limit = 0;
    return status;
}
