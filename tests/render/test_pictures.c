/* Images of small models: docs/mmd.md 6.3 to 6.6, 8, and the contract of mmd/view.h. */
#include "squares.h"

/* docs/mmd.md 8: diffuse (0.31,0.56,0.85) + ambient (0.1,0.18,0.3) under a light of 0.6. */
static void a_flat_material_has_the_color_mmd_gives_it(void **state)
{
    (void)state;
    mmd_model *model = squares(1, 0, 0);
    const float diffuse[3] = {0.31f, 0.56f, 0.85f}, ambient[3] = {0.1f, 0.18f, 0.3f};
    memcpy(model->materials[0].diffuse, diffuse, sizeof diffuse);
    memcpy(model->materials[0].ambient, ambient, sizeof ambient);
    mmd_image image = picture_of(model, NULL, 0, NULL);
    assert_pixel(&image, SIZE / 2, SIZE / 2, 73, 132, 207, 255);
    assert_pixel(&image, 1, 1, 255, 255, 255, 255);
    mmd_image_finish(&image);
    made_destroy(model);
}

static void textures_are_the_right_way_up(void **state)
{
    (void)state;
    mmd_model *model = squares(1, 1, 0);
    model->textures[0] = "Tex\\Four.PNG";
    model->materials[0].texture = 0;
    mmd_buffer png = {0};
    mmd_memory_file file = small_png("tex/four.png", four_colors, &png);
    mmd_image image = picture_of(model, &file, 1, NULL);
    assert_pixel(&image, 14, 14, 255, 0, 0, 255);
    assert_pixel(&image, 50, 14, 0, 255, 0, 255);
    assert_pixel(&image, 14, 50, 0, 0, 255, 255);
    assert_pixel(&image, 50, 50, 255, 255, 0, 255);
    mmd_image_finish(&image);
    mmd_buffer_finish(&png);
    made_destroy(model);
}

/* Three pixels of 0, 120, 240 become four. The first one is 45, the mean of the line from 240 (wrapped) to 0
 * to 120 over three quarters of a pixel. Sampling the original gives 30. */
static void textures_are_enlarged_to_powers_of_two_as_mmd_does(void **state)
{
    (void)state;
    mmd_model *model = squares(1, 1, 0);
    model->textures[0] = "three.png";
    model->materials[0].texture = 0;
    uint8_t pixels[12] = {0, 0, 0, 255, 120, 120, 120, 255, 240, 240, 240, 255};
    mmd_image three = {.width = 3, .height = 1, .pixels = pixels};
    mmd_png_options options = {.alpha = false};
    mmd_buffer png = {0};
    ASSERT_OK(mmd_png_write(&three, &options, &png, error));
    mmd_memory_file file = {.name = "three.png", .data = png.data, .size = png.size};
    mmd_image image = picture_of(model, &file, 1, NULL);
    assert_in_range(pixel(&image, 14, SIZE / 2)[0], 42, 48);
    mmd_image_finish(&image);
    mmd_buffer_finish(&png);
    made_destroy(model);
}

/* MMD shows back faces of two-sided materials, and of translucent ones. */
static void back_faces_are_culled_unless_two_sided_or_translucent(void **state)
{
    (void)state;
    static const int levels[3] = {255, 0, 128};
    for (int kind = 0; kind < 3; kind++) {
        mmd_model *model = squares(1, 0, 0);
        set_color(&model->materials[0], 0.0f, 0.0f, 0.0f, kind == 2 ? 127.0f / 255.0f : 1.0f);
        uint32_t corner = model->indices[0];
        model->indices[0] = model->indices[1];
        model->indices[1] = corner;
        corner = model->indices[3];
        model->indices[3] = model->indices[4];
        model->indices[4] = corner;
        model->materials[0].flags = kind == 1 ? MMD_MATERIAL_TWO_SIDED : 0;
        mmd_image image = picture_of(model, NULL, 0, NULL);
        const int level = levels[kind];
        assert_pixel(&image, SIZE / 2, SIZE / 2, level, level, level, 255);
        mmd_image_finish(&image);
        made_destroy(model);
    }
}

/* Materials are drawn in file order and translucent ones write depth, so the farther one, drawn later, is
 * hidden. */
static void materials_are_drawn_in_file_order_with_depth_written(void **state)
{
    (void)state;
    mmd_model *model = squares(2, 0, 0);
    set_color(&model->materials[0], 1.0f, 0.0f, 0.0f, 0.5f);
    set_color(&model->materials[1], 0.0f, 0.0f, 1.0f, 1.0f);
    mmd_image image = picture_of(model, NULL, 0, NULL);
    const uint8_t *p = pixel(&image, SIZE / 2, SIZE / 2);
    assert_int_equal(p[0], 255);
    assert_in_range(p[1], 127, 128);
    assert_in_range(p[2], 127, 128);
    mmd_image_finish(&image);
    made_destroy(model);
}

/* A pixel of alpha 1/255 writes depth, one of alpha 0 does not. */
static void only_alpha_zero_is_dropped(void **state)
{
    (void)state;
    for (uint8_t alpha = 0; alpha < 2; alpha++) {
        mmd_model *model = squares(2, 1, 0);
        model->textures[0] = "a.png";
        model->materials[0].texture = 0;
        set_color(&model->materials[1], 0.0f, 0.0f, 0.0f, 1.0f);
        uint8_t faint[16];
        for (int i = 0; i < 16; i++)
            faint[i] = i % 4 == 3 ? alpha : 255;
        mmd_buffer png = {0};
        mmd_memory_file file = small_png("a.png", faint, &png);
        mmd_image image = picture_of(model, &file, 1, NULL);
        int level = alpha ? 255 : 0;
        assert_pixel(&image, SIZE / 2, SIZE / 2, level, level, level, 255);
        mmd_image_finish(&image);
        mmd_buffer_finish(&png);
        made_destroy(model);
    }
}

/* The light comes from above and in front: N.L = 0.5 / 1.2247, so toon v is below a half: lit. */
static void toons_darken_what_turns_from_the_light(void **state)
{
    (void)state;
    for (int away = 0; away < 2; away++) {
        mmd_model *model = squares(1, 0, 0);
        model->materials[0].shared_toon = true;
        model->materials[0].toon = 2; /* toon03: ffffff and 9a9a9a */
        for (uint32_t v = 0; v < 4; v++)
            model->vertices.normal[v][2] = away ? 1.0f : -1.0f;
        mmd_image image = picture_of(model, NULL, 0, NULL);
        int level = away ? 0x9a : 255;
        assert_pixel(&image, SIZE / 2, SIZE / 2, level, level, level, 255);
        mmd_image_finish(&image);
        made_destroy(model);
    }
}

/* Normals without a direction have light from the side, in the middle of the toon, and of the sphere map. */
static void normals_of_length_zero_have_a_colour(void **state)
{
    (void)state;
    for (int smooth = 0; smooth < 2; smooth++) {
        mmd_model *model = squares(1, 0, 0);
        mmd_view_options options = mmd_default_view_options();
        options.shading = smooth ? MMD_SHADING_SMOOTH : MMD_SHADING_MMD;
        model->materials[0].shared_toon = true;
        model->materials[0].toon = 2; /* toon03: ffffff and 9a9a9a */
        model->materials[0].specular[0] = 1.0f;
        model->materials[0].specular_power = 5.0f;
        memset(model->vertices.normal, 0, 4 * sizeof *model->vertices.normal);
        mmd_image image = picture_of(model, NULL, 0, &options);
        assert_pixel(&image, SIZE / 2, SIZE / 2, 205, 205, 205, 255);
        mmd_image_finish(&image);
        made_destroy(model);
    }
}

/* A toon01.bmp beside a PMD replaces the shared one; beside a PMX it is ignored. */
static void toon_files_beside_a_pmd_replace_the_shared_ones(void **state)
{
    (void)state;
    static const uint8_t red[16] = {255, 0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 255};
    mmd_buffer png = {0};
    mmd_memory_file file = small_png("TOON01.bmp", red, &png);
    for (int pmd = 0; pmd < 2; pmd++) {
        mmd_model *model = squares(1, 0, 0);
        model->origin = pmd ? MMD_ORIGIN_PMD : MMD_ORIGIN_PMX;
        model->materials[0].shared_toon = true;
        model->materials[0].toon = 0;
        mmd_image image = picture_of(model, &file, 1, NULL);
        int others = pmd ? 0 : 255;
        assert_pixel(&image, SIZE / 2, SIZE / 2, 255, others, others, 255);
        mmd_image_finish(&image);
        made_destroy(model);
    }
    mmd_buffer_finish(&png);
}

/* A normal towards the viewer samples the middle of a sphere map. */
static void spheres_multiply_and_add(void **state)
{
    (void)state;
    for (uint8_t mode = MMD_SPHERE_MULTIPLY; mode <= MMD_SPHERE_SUB_TEXTURE; mode++) {
        mmd_model *model = squares(1, 1, 0);
        model->textures[0] = "s.png";
        model->materials[0].sphere = 0;
        model->materials[0].sphere_mode = mode;
        set_color(&model->materials[0], 0.4f, 0.4f, 0.4f, 1.0f);
        for (uint32_t v = 0; v < 4; v++)
            memcpy(model->vertices.additional_uv[0][v], (float[4]){0.5f, 0.5f, 0.0f, 0.0f},
                   4 * sizeof(float));
        uint8_t half[16];
        for (int i = 0; i < 16; i++)
            half[i] = i % 4 == 3 ? 255 : 51;
        mmd_buffer png = {0};
        mmd_memory_file file = small_png("s.png", half, &png);
        mmd_image image = picture_of(model, &file, 1, NULL);
        int level = mode == MMD_SPHERE_ADD ? 102 + 51 : 20; /* 102 * 51 / 255 */
        assert_pixel(&image, SIZE / 2, SIZE / 2, level, level, level, 255);
        mmd_image_finish(&image);
        mmd_buffer_finish(&png);
        made_destroy(model);
    }
}

/* Edges are drawn after all materials, around their material, and only if enabled. */
static void edges_surround_a_material_that_has_them(void **state)
{
    (void)state;
    for (int on = 0; on < 2; on++) {
        mmd_model *model = squares(1, 0, 0);
        model->materials[0].flags = MMD_MATERIAL_EDGE;
        model->materials[0].edge_size = 20.0f;
        model->materials[0].edge_color[0] = 1.0f;
        /* Outward normals in the plane enlarge the hull on all sides. The square faces away, so that its back
         * is visible. */
        for (uint32_t v = 0; v < 4; v++) {
            model->vertices.normal[v][0] = v & 1 ? 1.0f : -1.0f;
            model->vertices.normal[v][1] = v & 2 ? -1.0f : 1.0f;
            model->vertices.normal[v][2] = 0.0f;
        }
        for (uint32_t i = 0; i < 6; i += 3) {
            uint32_t corner = model->indices[i];
            model->indices[i] = model->indices[i + 1];
            model->indices[i + 1] = corner;
        }
        mmd_view_options options = mmd_default_view_options();
        options.edge = on;
        mmd_image image = picture_of(model, NULL, 0, &options);
        /*
         * 2.87e-5 * 20 * 30 * 20 = 0.34 units, over 0.7 of it to each side: two pixels beyond the square's 8.
         */
        assert_pixel(&image, 8, SIZE / 2, 255, on ? 0 : 255, on ? 0 : 255, 255);
        assert_pixel(&image, 4, SIZE / 2, 255, 255, 255, 255);
        mmd_image_finish(&image);
        made_destroy(model);
    }
}

static void uv_morphs_move_textures(void **state)
{
    (void)state;
    mmd_model *model = squares(1, 1, 1);
    model->textures[0] = "four.png";
    model->materials[0].texture = 0;
    mmd_uv_offset offsets[4];
    for (int i = 0; i < 4; i++)
        offsets[i] = (mmd_uv_offset){.vertex = i, .offset = {0.5f, 0.0f, 0.0f, 0.0f}};
    model->morphs[0].kind = MMD_MORPH_UV;
    model->morphs[0].count = 4;
    model->morphs[0].offsets.uv = offsets;
    mmd_buffer png = {0};
    mmd_memory_file file = small_png("four.png", four_colors, &png);
    test_scene scene;
    mmd_image image = {0};
    test_scene_open_made(&scene, model, &file, 1);
    draw(&scene, NULL, &image);
    assert_pixel(&image, 14, 14, 255, 0, 0, 255);
    mmd_actor_set_morph(scene.actor, 0, 1.0f);
    draw(&scene, NULL, &image);
    assert_pixel(&image, 14, 14, 0, 255, 0, 255);
    mmd_image_finish(&image);
    test_scene_close(&scene);
    mmd_buffer_finish(&png);
    made_destroy(model);
}

/* Texture factors as in docs/mmd.md 6.4: rgb = lerp(1, texture * multiply + add, multiply.a + add.a) under self
 * shadow, and nothing without. */
static void material_morphs_change_colors_and_factors(void **state)
{
    (void)state;
    mmd_model *model = squares(1, 1, 2);
    model->textures[0] = "gray.png";
    model->materials[0].texture = 0;
    mmd_material_offset hide = {.material = 0, .operation = 0}, tint = {.material = 0, .operation = 1};
    tint.values.texture_factor[0] = 0.2f;
    for (uint32_t m = 0; m < 2; m++) {
        model->morphs[m].kind = MMD_MORPH_MATERIAL;
        model->morphs[m].count = 1;
        model->morphs[m].offsets.material = m ? &tint : &hide;
    }
    uint8_t gray[16];
    for (int i = 0; i < 16; i++)
        gray[i] = i % 4 == 3 ? 255 : 102;
    mmd_buffer png = {0};
    mmd_memory_file file = small_png("gray.png", gray, &png);
    test_scene scene;
    mmd_image image = {0};
    test_scene_open_made(&scene, model, &file, 1);
    mmd_view_options shadowed = mmd_default_view_options();
    shadowed.self_shadow = true;
    mmd_actor_set_morph(scene.actor, 1, 1.0f);
    draw(&scene, &shadowed, &image);
    assert_pixel(&image, SIZE / 2, SIZE / 2, 153, 102, 102, 255);
    draw(&scene, NULL, &image);
    assert_pixel(&image, SIZE / 2, SIZE / 2, 102, 102, 102, 255);
    mmd_actor_set_morph(scene.actor, 0, 1.0f); /* alpha times 0 */
    draw(&scene, NULL, &image);
    assert_pixel(&image, SIZE / 2, SIZE / 2, 255, 255, 255, 255);
    mmd_image_finish(&image);
    test_scene_close(&scene);
    mmd_buffer_finish(&png);
    made_destroy(model);
}

/* PMX 2.1: additional UV 1 as a colour, faces as lines, faces as points. */
static void colors_lines_and_points_are_drawn(void **state)
{
    (void)state;
    mmd_model *model = squares(1, 0, 0);
    for (uint32_t v = 0; v < 4; v++)
        memcpy(model->vertices.additional_uv[0][v], (float[4]){0.0f, 0.6f, 0.0f, 1.0f}, 4 * sizeof(float));
    model->materials[0].flags = MMD_MATERIAL_VERTEX_COLOR;
    mmd_image image = picture_of(model, NULL, 0, NULL);
    assert_pixel(&image, SIZE / 2, SIZE / 2, 0, 153, 0, 255);
    mmd_image_finish(&image);

    model->materials[0].flags = MMD_MATERIAL_VERTEX_COLOR | MMD_MATERIAL_LINES;
    image = picture_of(model, NULL, 0, NULL);
    assert_pixel(&image, SIZE / 2, 40, 255, 255, 255, 255); /* inside, off the diagonal */
    size_t green = 0;
    for (int y = 0; y < SIZE; y++)
        green += pixel(&image, 20, y)[0] == 0;
    assert_in_range(green, 3, 6); /* top, bottom, diagonal */
    mmd_image_finish(&image);

    model->materials[0].flags = MMD_MATERIAL_VERTEX_COLOR | MMD_MATERIAL_LINES | MMD_MATERIAL_POINTS;
    model->materials[0].edge_size = 5.0f;
    image = picture_of(model, NULL, 0, NULL);
    green = 0;
    for (int i = 0; i < SIZE * SIZE; i++)
        green += image.pixels[4 * i] == 0;
    assert_int_equal(green, 4 * 25);
    mmd_image_finish(&image);
    made_destroy(model);
}

/* Draws ids, or the picture if ids is false, and marks the pixels that the model covers. */
static size_t find_covered(test_scene *scene, const mmd_view_options *options, bool ids,
                           bool covered[SIZE * SIZE])
{
    static uint32_t found[SIZE * SIZE][3];
    mmd_image image = {0};
    size_t count = 0;
    set_camera(scene->stage);
    if (ids)
        ASSERT_OK(mmd_view_ids(scene->view, scene->stage, options, SIZE, SIZE, found, error));
    else
        draw(scene, options, &image);
    for (int i = 0; i < SIZE * SIZE; i++) {
        covered[i] = ids ? found[i][0] != MMD_VIEW_NO_ID : image.pixels[4 * i + 2] < 250;
        count += covered[i];
    }
    mmd_image_finish(&image);
    return count;
}

/* Lines have programs of their own for each pass and each feature of a material. They cover the same pixels,
 * the whole length of the sides and the diagonal, once. */
static void lines_are_the_same_pixels_in_every_pass(void **state)
{
    (void)state;
    static const uint8_t yellow[16] = {255, 255, 0, 128, 255, 255, 0, 255,
                                       255, 255, 0, 255, 255, 255, 0, 255};
    mmd_buffer png = {0};
    const mmd_memory_file file = small_png("t.png", yellow, &png);
    mmd_model *model = squares(1, 1, 0);
    mmd_material *material = &model->materials[0];
    material->flags = MMD_MATERIAL_LINES | MMD_MATERIAL_CASTS_SHADOW | MMD_MATERIAL_RECEIVES_SHADOW |
                      MMD_MATERIAL_GROUND_SHADOW;
    model->textures[0] = "t.png";
    material->texture = material->sphere = 0;
    material->specular_power = 5.0f;
    material->specular[0] = 0.1f;
    bool first[SIZE * SIZE], covered[SIZE * SIZE];
    for (uint8_t sphere = MMD_SPHERE_MULTIPLY; sphere <= MMD_SPHERE_SUB_TEXTURE; sphere++) {
        material->sphere_mode = sphere;
        material->flags ^= MMD_MATERIAL_VERTEX_COLOR;
        for (uint32_t v = 0; v < 4; v++)
            for (int k = 0; k < 4; k++)
                model->vertices.additional_uv[0][v][k] = 1.0f;
        test_scene scene;
        test_scene_open_made(&scene, model, &file, 1);
        mmd_actor *second = mmd_actor_create(model);
        mmd_view_options options = mmd_default_view_options();
        for (int kind = MMD_SURFACE_PICTURE; kind <= MMD_SURFACE_BONES; kind++) {
            options.surface = (mmd_surface)kind;
            size_t count = find_covered(&scene, &options, false, covered);
            if (sphere == MMD_SPHERE_MULTIPLY && kind == MMD_SURFACE_PICTURE) {
                memcpy(first, covered, sizeof first);
                assert_in_range(count, 4 * 46,
                                5 * 49); /* 8 units are 48 pixels; the diagonal is as long as a side */
            }
            assert_memory_equal(covered, first, sizeof first);
        }
        find_covered(&scene, &options, true, covered);
        assert_memory_equal(covered, first, sizeof first);
        options = mmd_default_view_options();
        ASSERT_OK(mmd_stage_add_actor(scene.stage, second, error)); /* a crowd */
        for (int i = 0; i < 4; i++) {
            options.shading = i & 1 ? MMD_SHADING_SMOOTH : MMD_SHADING_MMD;
            options.self_shadow = options.each_actor = i & 2;
            find_covered(&scene, &options, false, covered);
            assert_memory_equal(covered, first, sizeof first);
        }
        options.ground_shadow = true;
        find_covered(&scene, &options, false, covered);
        test_scene_close(&scene);
        mmd_actor_destroy(second);
    }
    mmd_buffer_finish(&png);
    made_destroy(model);
}

/* What OpenGL draws for points of size 0 is undefined. */
static void points_have_a_pixel_at_least(void **state)
{
    (void)state;
    mmd_model *model = squares(1, 0, 0);
    set_color(&model->materials[0], 0.0f, 0.0f, 0.0f, 1.0f);
    model->materials[0].flags = MMD_MATERIAL_POINTS;
    for (int size = 0; size < 2; size++) {
        model->materials[0].edge_size = (float)-size;
        mmd_image image = picture_of(model, NULL, 0, NULL);
        int black = 0;
        for (int i = 0; i < SIZE * SIZE; i++)
            black += image.pixels[4 * i] == 0;
        assert_int_equal(black, 4);
        mmd_image_finish(&image);
    }
    made_destroy(model);
}

static void pictures_are_the_same_from_every_context(void **state)
{
    (void)state;
    mmd_model *model = squares(3, 1, 0);
    model->textures[0] = "four.png";
    for (uint32_t m = 0; m < 3; m++) {
        model->materials[m].texture = 0;
        model->materials[m].diffuse[3] = 0.7f;
        model->materials[m].specular[0] = 0.5f;
        model->materials[m].specular_power = 3.0f;
    }
    mmd_buffer png = {0};
    mmd_memory_file file = small_png("four.png", four_colors, &png);
    mmd_image first = picture_of(model, &file, 1, NULL), second = picture_of(model, &file, 1, NULL),
              again = {0};
    size_t size = 4 * (size_t)SIZE * SIZE;
    assert_memory_equal(first.pixels, second.pixels, size);
    test_scene scene;
    test_scene_open_made(&scene, model, &file, 1);
    for (int i = 0; i < 3; i++) {
        draw(&scene, NULL, &again);
        assert_memory_equal(first.pixels, again.pixels, size);
    }
    test_scene_close(&scene);
    mmd_image_finish(&first);
    mmd_image_finish(&second);
    mmd_image_finish(&again);
    mmd_buffer_finish(&png);
    made_destroy(model);
}

/* Alpha is straight: the colour is the material's, whatever its opacity. */
static void a_transparent_background_gives_straight_alpha(void **state)
{
    (void)state;
    mmd_model *model = squares(1, 0, 0);
    set_color(&model->materials[0], 1.0f, 0.4f, 0.0f, 0.5f);
    mmd_view_options options = mmd_default_view_options();
    memset(options.background, 0, sizeof options.background);
    mmd_image image = picture_of(model, NULL, 0, &options);
    assert_true(image.has_alpha);
    assert_pixel(&image, 1, 1, 0, 0, 0, 0);
    const uint8_t *p = pixel(&image, SIZE / 2, SIZE / 2);
    assert_in_range(p[0], 254, 255);
    assert_in_range(p[1], 101, 103);
    assert_int_equal(p[2], 0);
    assert_in_range(p[3], 127, 128);
    mmd_image_finish(&image);
    made_destroy(model);
}

/* Returns the left border of the square in pixels. D3D9's pixel centres are half a pixel off, so its image
 * moves right by one. */
static int left_border(mmd_pixel_centers centers, float x)
{
    mmd_model *model = squares(1, 0, 0);
    made_square(model, 0, 0, x, 6.0f, 0.0f, 8.0f);
    set_color(&model->materials[0], 0.0f, 0.0f, 0.0f, 1.0f);
    mmd_view_options options = mmd_default_view_options();
    options.pixel_centers = centers;
    mmd_image image = picture_of(model, NULL, 0, &options);
    int border = 0;
    while (border < SIZE && pixel(&image, border, SIZE / 2)[0])
        border++;
    mmd_image_finish(&image);
    made_destroy(model);
    return border;
}

static void d3d9_pixel_centers_move_the_picture_half_a_pixel(void **state)
{
    (void)state;
    const float unit = 20.0f * 0.26794919f * 2.0f / SIZE; /* a pixel at distance 20, fov 30 */
    /* One border is a quarter pixel left of a GL centre, one a quarter pixel right of it. */
    assert_int_equal(left_border(MMD_PIXEL_CENTERS_GL, -10.75f * unit), SIZE / 2 - 11);
    assert_int_equal(left_border(MMD_PIXEL_CENTERS_D3D9, -10.75f * unit), SIZE / 2 - 10);
    assert_int_equal(left_border(MMD_PIXEL_CENTERS_GL, -10.25f * unit), SIZE / 2 - 10);
    assert_int_equal(left_border(MMD_PIXEL_CENTERS_D3D9, -10.25f * unit), SIZE / 2 - 10);
}

static void samples_smooth_borders(void **state)
{
    (void)state;
    mmd_model *model = squares(1, 0, 0);
    set_color(&model->materials[0], 0.0f, 0.0f, 0.0f, 1.0f);
    model->vertices.position[1][1] += 1.0f; /* a slope */
    mmd_view_options options = mmd_default_view_options();
    options.samples = 4;
    test_scene scene;
    mmd_image image = {0};
    test_scene_open_made(&scene, model, NULL, 0);
    draw(&scene, &options, &image);
    size_t gray = 0;
    for (int i = 0; i < SIZE * SIZE; i++)
        gray += image.pixels[4 * i] != 0 && image.pixels[4 * i] != 255;
    if (mmd_gpu_get_info(scene.gpu)->max_samples < 2)
        test_skip_part("this driver draws one sample per pixel");
    else
        assert_true(gray > 20);
    mmd_image_finish(&image);
    test_scene_close(&scene);
    made_destroy(model);
}

static void the_grid_and_axes_are_drawn(void **state)
{
    (void)state;
    mmd_model *model = squares(1, 0, 0);
    mmd_view_options options = mmd_default_view_options();
    options.grid = true;
    mmd_image image = picture_of(model, NULL, 0, &options);
    size_t gray = 0, green = 0;
    for (int i = 0; i < SIZE * SIZE; i++) {
        const uint8_t *p = image.pixels + 4 * i;
        gray += p[0] == 128 && p[1] == 128 && p[2] == 128;
        green += p[0] == 0 && p[1] == 255 && p[2] == 0;
    }
    assert_true(gray > 10);
    assert_true(green > 2);
    mmd_image_finish(&image);
    made_destroy(model);
}

/* Two materials and a second name refer to the same missing file. Each name is reported once, and the texture
 * is white. */
static void a_missing_texture_is_reported_once(void **state)
{
    (void)state;
    mmd_model *model = squares(2, 2, 0);
    model->textures[0] = model->textures[1] = "gone\\a.bmp";
    model->materials[0].texture = 0;
    model->materials[1].texture = 1;
    model->materials[1].sphere = 0;
    model->materials[1].sphere_mode = MMD_SPHERE_ADD;
    test_scene scene;
    mmd_image image = {0};
    test_scene_open_made(&scene, model, NULL, 0);
    for (int i = 0; i < 2; i++)
        draw(&scene, NULL, &image);
    assert_int_equal(scene.log.warnings, 1);
    assert_non_null(strstr(scene.log.last, "gone"));
    const char *const *names;
    assert_int_equal(mmd_view_missing_textures(scene.view, model, &names), 1);
    assert_string_equal(names[0], "gone\\a.bmp");
    assert_pixel(&image, SIZE / 2, SIZE / 2, 255, 255, 255, 255);
    mmd_image_finish(&image);
    test_scene_close(&scene);
    made_destroy(model);
}

static void a_broken_texture_is_reported_and_drawn_white(void **state)
{
    (void)state;
    mmd_model *model = squares(1, 1, 0);
    model->textures[0] = "a.png";
    model->materials[0].texture = 0;
    mmd_memory_file file = {.name = "a.png", .data = "no picture", .size = 10};
    test_scene scene;
    mmd_image image = {0};
    test_scene_open_made(&scene, model, &file, 1);
    draw(&scene, NULL, &image);
    assert_int_equal(scene.log.warnings, 1);
    assert_int_equal(mmd_view_missing_textures(scene.view, model, NULL), 1);
    assert_pixel(&image, SIZE / 2, SIZE / 2, 255, 255, 255, 255);
    mmd_image_finish(&image);
    test_scene_close(&scene);
    made_destroy(model);
}

static void a_picture_over_the_gpu_s_size_is_refused(void **state)
{
    (void)state;
    mmd_model *model = squares(1, 0, 0);
    test_scene scene;
    test_scene_open_made(&scene, model, NULL, 0);
    mmd_view_options options = mmd_default_view_options();
    mmd_image image = {0};
    mmd_error error = {0};
    assert_int_equal(mmd_view_picture(scene.view, scene.stage, &options, 1000000, 64, &image, &error),
                     MMD_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "1000000 x 64"));
    assert_int_equal(mmd_view_picture(scene.view, scene.stage, &options, 0, 64, &image, &error),
                     MMD_ERROR_LIMIT);
    draw(&scene, NULL, &image);
    assert_pixel(&image, SIZE / 2, SIZE / 2, 255, 255, 255, 255);
    mmd_image_finish(&image);
    test_scene_close(&scene);
    made_destroy(model);
}

static void two_actors_of_one_model_keep_their_own_poses(void **state)
{
    (void)state;
    mmd_model *model = squares(1, 0, 0);
    made_square(model, 0, 0, -1.0f, 9.0f, 0.0f, 2.0f);
    set_color(&model->materials[0], 0.0f, 0.0f, 0.0f, 1.0f);
    test_scene scene;
    test_scene_open_made(&scene, model, NULL, 0);
    mmd_actor *second = mmd_actor_create(model);
    ASSERT_OK(mmd_stage_add_actor(scene.stage, second, error));
    const float still[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    mmd_pose_set_user(mmd_actor_pose(scene.actor), 0, (float[3]){-3.0f, 0.0f, 0.0f}, still);
    mmd_pose_set_user(mmd_actor_pose(second), 0, (float[3]){3.0f, 0.0f, 0.0f}, still);
    mmd_image image = {0};
    draw(&scene, NULL, &image);
    const int offset = 18; /* 3 units */
    assert_pixel(&image, SIZE / 2 - offset, SIZE / 2, 0, 0, 0, 255);
    assert_pixel(&image, SIZE / 2 + offset, SIZE / 2, 0, 0, 0, 255);
    assert_pixel(&image, SIZE / 2, SIZE / 2, 255, 255, 255, 255);
    mmd_image_finish(&image);
    test_scene_close(&scene);
    mmd_actor_destroy(second);
    made_destroy(model);
}

static void a_frame_allocates_nothing_and_everything_is_given_back(void **state)
{
    (void)state;
    uint64_t blocks = mmd_heap_blocks_in_use();
    mmd_model *model = squares(2, 0, 0);
    model->materials[0].flags = MMD_MATERIAL_EDGE;
    model->materials[0].edge_size = 1.0f;
    test_scene scene;
    mmd_image image = {0};
    test_scene_open_made(&scene, model, NULL, 0);
    draw(&scene, NULL, &image);
    uint64_t allocations = mmd_heap_allocations();
    draw(&scene, NULL, &image);
    assert_int_equal(mmd_heap_allocations(), allocations);
    assert_int_equal(mmd_view_get_statistics(scene.view).draw_calls, 3);
    mmd_image_finish(&image);
    test_scene_close(&scene);
    made_destroy(model);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

static void a_model_that_was_not_added_is_skipped_and_said_once(void **state)
{
    (void)state;
    mmd_model *model = squares(1, 0, 0);
    set_color(&model->materials[0], 0.0f, 0.0f, 0.0f, 1.0f);
    test_scene scene;
    mmd_image image = {0};
    test_scene_open_made(&scene, model, NULL, 0);
    mmd_view_remove_model(scene.view, model);
    draw(&scene, NULL, &image);
    draw(&scene, NULL, &image);
    assert_int_equal(scene.log.warnings, 1);
    assert_pixel(&image, SIZE / 2, SIZE / 2, 255, 255, 255, 255);
    mmd_image_finish(&image);
    test_scene_close(&scene);
    made_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flat_material_has_the_color_mmd_gives_it),
        cmocka_unit_test(textures_are_the_right_way_up),
        cmocka_unit_test(textures_are_enlarged_to_powers_of_two_as_mmd_does),
        cmocka_unit_test(back_faces_are_culled_unless_two_sided_or_translucent),
        cmocka_unit_test(materials_are_drawn_in_file_order_with_depth_written),
        cmocka_unit_test(only_alpha_zero_is_dropped),
        cmocka_unit_test(toons_darken_what_turns_from_the_light),
        cmocka_unit_test(normals_of_length_zero_have_a_colour),
        cmocka_unit_test(toon_files_beside_a_pmd_replace_the_shared_ones),
        cmocka_unit_test(spheres_multiply_and_add),
        cmocka_unit_test(edges_surround_a_material_that_has_them),
        cmocka_unit_test(uv_morphs_move_textures),
        cmocka_unit_test(material_morphs_change_colors_and_factors),
        cmocka_unit_test(colors_lines_and_points_are_drawn),
        cmocka_unit_test(lines_are_the_same_pixels_in_every_pass),
        cmocka_unit_test(points_have_a_pixel_at_least),
        cmocka_unit_test(pictures_are_the_same_from_every_context),
        cmocka_unit_test(a_transparent_background_gives_straight_alpha),
        cmocka_unit_test(d3d9_pixel_centers_move_the_picture_half_a_pixel),
        cmocka_unit_test(samples_smooth_borders),
        cmocka_unit_test(the_grid_and_axes_are_drawn),
        cmocka_unit_test(a_missing_texture_is_reported_once),
        cmocka_unit_test(a_broken_texture_is_reported_and_drawn_white),
        cmocka_unit_test(a_picture_over_the_gpu_s_size_is_refused),
        cmocka_unit_test(two_actors_of_one_model_keep_their_own_poses),
        cmocka_unit_test(a_frame_allocates_nothing_and_everything_is_given_back),
        cmocka_unit_test(a_model_that_was_not_added_is_skipped_and_said_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
