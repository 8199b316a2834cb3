/* Assembles the figure's parts, bones and morphs into a model and writes it as PMX. */
#include "figure.h"

#include <string.h>

#include "mmd/format.h"

static bool fill_vertices(mmd_model *model, const figure_mesh *mesh, mmd_arena *arena)
{
    mmd_vertices *v = &model->vertices;
    uint32_t count = v->count = mesh->vertex_count;
    v->position = mmd_arena_alloc(arena, count, sizeof *v->position);
    v->normal = mmd_arena_alloc(arena, count, sizeof *v->normal);
    v->uv = mmd_arena_alloc(arena, count, sizeof *v->uv);
    v->deform = mmd_arena_alloc(arena, count, sizeof *v->deform);
    v->bone = mmd_arena_alloc(arena, count, sizeof *v->bone);
    v->weight = mmd_arena_alloc(arena, count, sizeof *v->weight);
    v->edge_scale = mmd_arena_alloc(arena, count, sizeof *v->edge_scale);
    if (!v->position || !v->normal || !v->uv || !v->deform || !v->bone || !v->weight || !v->edge_scale)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const figure_vertex *from = &mesh->vertices[i];
        memcpy(v->position[i], from->position, sizeof from->position);
        memcpy(v->normal[i], from->normal, sizeof from->normal);
        memcpy(v->uv[i], from->uv, sizeof from->uv);
        memcpy(v->bone[i], from->weights.bone, sizeof from->weights.bone);
        memcpy(v->weight[i], from->weights.weight, sizeof from->weights.weight);
        v->edge_scale[i] = from->edge;
        bool one = from->weights.bone[1] < 0, two = from->weights.bone[2] < 0;
        v->deform[i] = one ? MMD_DEFORM_BDEF1 : two ? MMD_DEFORM_BDEF2 : MMD_DEFORM_BDEF4;
    }
    model->index_count = mesh->index_count;
    model->indices = mesh->indices;
    return true;
}

/* Returns the index of a texture, or -1 if it is NULL or unknown. */
static int texture_index(const char *name)
{
    for (int i = 0; name && i < FIGURE_TEXTURES; i++)
        if (strcmp(name, figure_texture_names[i]) == 0)
            return i;
    return -1;
}

/*
 * Sets colours that show the part's own colour in the default light of 0.6: 0.6 diffuse + ambient = colour.
 */
static void fill_material(mmd_material *m, const figure_part *part, uint32_t first, uint32_t end)
{
    *m = (mmd_material){.name = part->name,
                        .name_en = part->name_en,
                        .memo = "",
                        .diffuse = {0, 0, 0, 1},
                        .specular_power = 5,
                        .edge_color = {0.2f, 0.1f, 0.16f, 1},
                        .edge_size = part->edge,
                        .shared_toon = true,
                        .texture = texture_index(part->texture),
                        .sphere = -1,
                        .toon = part->toon,
                        .first_index = first,
                        .index_count = end - first};
    m->flags = MMD_MATERIAL_GROUND_SHADOW | MMD_MATERIAL_CASTS_SHADOW | MMD_MATERIAL_RECEIVES_SHADOW;
    if (part->edge > 0)
        m->flags |= MMD_MATERIAL_EDGE;
    else
        m->flags = MMD_MATERIAL_TWO_SIDED;
    for (int i = 0; i < 3; i++) {
        m->diffuse[i] = part->color[i];
        m->ambient[i] = 0.4f * part->color[i];
    }
}

static bool fill_parts(mmd_model *model, figure_mesh *mesh, mmd_arena *arena)
{
    model->material_count = (uint32_t)figure_part_count;
    model->materials = mmd_arena_alloc(arena, figure_part_count, sizeof *model->materials);
    if (!model->materials)
        return false;
    for (size_t i = 0; i < figure_part_count; i++) {
        uint32_t first = mesh->index_count;
        const figure_part *part = &figure_parts[i];
        for (size_t s = 0; s < part->shape_count; s++)
            figure_add_surface(mesh, &part->shapes[s]);
        if (part->add)
            part->add(mesh);
        fill_material(&model->materials[i], part, first, mesh->index_count);
    }
    return !mesh->failed && fill_vertices(model, mesh, arena);
}

static bool moves(const float offset[3])
{
    return offset[0] != 0 || offset[1] != 0 || offset[2] != 0;
}

static bool fill_morph(mmd_morph *morph, int kind, const figure_mesh *mesh, mmd_arena *arena)
{
    static const char *const english[MORPH_COUNT] = {"blink", "smile", "a"};
    mmd_vertex_offset *offsets = mmd_arena_alloc(arena, mesh->vertex_count, sizeof *offsets);
    if (!offsets)
        return false;
    *morph = (mmd_morph){.name = figure_morph_names[kind],
                         .name_en = english[kind],
                         .panel = kind == MORPH_OPEN ? 3 : 2,
                         .kind = MMD_MORPH_VERTEX,
                         .offsets.vertex = offsets};
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const float *offset = mesh->vertices[i].morph[kind];
        if (!moves(offset))
            continue;
        offsets[morph->count].vertex = (int32_t)i;
        memcpy(offsets[morph->count++].offset, offset, sizeof offsets->offset);
    }
    return true;
}

static bool fill_morphs(mmd_model *model, const figure_mesh *mesh, mmd_arena *arena)
{
    model->morph_count = MORPH_COUNT;
    model->morphs = mmd_arena_alloc(arena, MORPH_COUNT, sizeof *model->morphs);
    if (!model->morphs)
        return false;
    for (int i = 0; i < MORPH_COUNT; i++)
        if (!fill_morph(&model->morphs[i], i, mesh, arena))
            return false;
    return true;
}

/* Fills the display frames: the root, the morphs, and all other bones. */
static bool fill_frames(mmd_model *model, mmd_arena *arena)
{
    static const char *const names[3][2] = {{"Root", "Root"}, {"表情", "Exp"}, {"体", "body"}};
    const uint32_t counts[3] = {1, MORPH_COUNT, BONE_COUNT - 1};
    model->frame_count = 3;
    model->frames = mmd_arena_alloc(arena, 3, sizeof *model->frames);
    for (int f = 0; model->frames && f < 3; f++) {
        mmd_frame_item *items = mmd_arena_alloc(arena, counts[f], sizeof *items);
        if (!items)
            return false;
        for (uint32_t i = 0; i < counts[f]; i++)
            items[i] = (mmd_frame_item){.kind = f == 1, .index = (int32_t)(f == 2 ? i + 1 : i)};
        model->frames[f] = (mmd_display_frame){names[f][0], names[f][1], f < 2, counts[f], items};
    }
    return model->frames != NULL;
}

bool figure_make_model(mmd_buffer *pmx)
{
    mmd_arena arena = {0};
    figure_mesh mesh = {0};
    const char *textures[FIGURE_TEXTURES];
    memcpy(textures, figure_texture_names, sizeof textures);
    mmd_model model = {.version = 2.0f,
                       .name = "踊り子",
                       .name_en = "odori",
                       .comment = "Made by odori's own program.",
                       .comment_en = "Made by odori's own program.",
                       .texture_count = FIGURE_TEXTURES,
                       .textures = textures};
    bool ok = figure_make_bones(&model, &arena) && fill_parts(&model, &mesh, &arena) &&
              fill_morphs(&model, &mesh, &arena) && fill_frames(&model, &arena) &&
              mmd_pmx_write(&model, pmx, NULL) == MMD_OK && !pmx->failed;
    figure_mesh_finish(&mesh);
    mmd_arena_finish(&arena);
    return ok;
}
