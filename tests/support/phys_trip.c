/* Writes a physics scene to glTF, reads it back, and compares the two scenes. */
#include "phys_trip.h"

#include "support.h"

const char *const trip_dialects[5] = {"none", "khr_seed", "khr_current", "omi_seed", "omi_newer"};

/* ------------------------------------------------------- write and read */

const mmd_physscene *trip_back(const trip *t)
{
    return t->document->physscene;
}

static json_t *data_uri(const mmd_buffer *bytes)
{
    mmd_buffer text = {0};
    mmd_write_bytes(&text, "data:application/octet-stream;base64,", 37);
    json_base64_encode(bytes->data, bytes->size, &text);
    json_t *made =
        json_pack("{s:s#, s:I}", "uri", text.data, (int)text.size, "byteLength", (json_int_t)bytes->size);
    mmd_buffer_finish(&text);
    return made;
}

/* Appends all buffers to the JSON text as data URIs. */
static void put_buffers(gltf_builder *builder)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < builder->buffer; i++)
        json_array_append_new(list, data_uri(&builder->base->kept->buffers[i]));
    if (builder->bytes.size)
        json_array_append_new(list, data_uri(&builder->bytes));
    if (json_array_size(list) > 0)
        json_object_set(builder->root, "buffers", list);
    json_decref(list);
}

static void keep_file(const trip *t, const mmd_buffer *text)
{
    char path[1024], name[256];
    if (!getenv("ODORI_KEEP"))
        return;
    snprintf(name, sizeof name, "%s", t->name);
    for (char *c = name; *c; c++)
        *c = *c == '/' ? '_' : *c;
    snprintf(path, sizeof path, "%s/%s.%s.gltf", getenv("ODORI_KEEP"), name, trip_dialects[t->dialect]);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(text->data, 1, text->size, file);
    fclose(file);
}

static void read_again(trip *t, const json_t *root, mmd_source *source)
{
    mmd_buffer text = {0};
    mmd_error error = {0};
    assert_int_equal(json_append(root, false, &text, &error), MMD_OK);
    keep_file(t, &text);
    if (mmd_exchange_read(text.data, text.size, source, "", &t->document, &error) != MMD_OK)
        fail_msg("%s as %s: %s at %s", t->name, trip_dialects[t->dialect], error.message, error.section);
    mmd_buffer_finish(&text);
}

/* The builder is set up as for the second of the writer's two passes, which reports the losses. */
void trip_go(trip *t, write_job *job, mmd_source *source)
{
    static const uint64_t second = 1;
    gltf_builder builder = {.job = job};
    t->from = job->scene;
    job->second_pass = true;
    job->body_stamps = job->joint_stamps = &second;
    job->output = &t->output;
    if (job->source == MMD_EXCHANGE_GLTF)
        builder.base = job->input->document;
    gltf_write_layout(&builder);
    gltf_strip_physics(&builder);
    gltf_write_physics(&builder, t->dialect);
    assert_false(builder.failed);
    put_buffers(&builder);
    t->bodies = builder.node_of_body;
    t->joints = builder.node_of_joint;
    read_again(t, builder.root, source);
    json_decref(builder.root);
    json_decref(builder.names);
    mmd_buffer_finish(&builder.bytes);
    mmd_free(builder.transforms);
    mmd_free(builder.node_of_bone);
}

void trip_end(trip *t)
{
    mmd_free(t->bodies);
    mmd_free(t->joints);
    mmd_exchange_destroy(t->document);
    mmd_exchange_output_finish(&t->output);
}

/* ------------------------------------------------------------ comparing */

static bool is_told(const trip *t, const char *kind, uint32_t item)
{
    char path[64];
    size_t length = (size_t)snprintf(path, sizeof path, "%s %u", kind, item);
    for (uint32_t i = 0; i < t->output.losses.count; i++) {
        const char *told = t->output.losses.items[i].path; /* followed by a name or by nothing */
        if (strncmp(told, path, length) == 0 && (told[length] == ' ' || told[length] == '\0'))
            return true;
    }
    return false;
}

static void differ(trip *t, const char *kind, uint32_t item, const char *name, const char *what, double a,
                   double b)
{
    bool body = strcmp(kind, "body") == 0, told = is_told(t, kind, item);
    t->body_differences += body;
    t->joint_differences += !body;
    t->unexplained += !told;
    if (!told || getenv("ODORI_VERBOSE"))
        print_message("    %s as %s: %s %u (%s): %s %.9g, not %.9g%s\n", t->name, trip_dialects[t->dialect],
                      kind, item, name, what, b, a, told ? " (told)" : "");
}

static bool near(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-5 * fmax(1, fmax(fabs(a), fabs(b)));
}

double trip_apart(const mmd_transform *a, const mmd_transform *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += pow((double)a->translation[k] - (double)b->translation[k], 2);
    return sqrt(sum);
}

double trip_turned(const mmd_transform *a, const mmd_transform *b)
{
    mmd_transform t;
    mmd_transform_inverse(a, &t);
    mmd_transform_multiply(&t, b, &t);
    double sine = 0, length = 0; /* quaternions computed from matrices are not exactly of unit length */
    for (int k = 0; k < 4; k++)
        length += (double)t.rotation[k] * (double)t.rotation[k];
    for (int k = 0; k < 3; k++)
        sine += (double)t.rotation[k] * (double)t.rotation[k] / length;
    return 2 * asin(fmin(1, sqrt(sine)));
}

/* Returns the index of the body or joint of the second scene that belongs to a node, or -1. */
static int32_t find(const mmd_exchange_item *items, uint32_t count, int32_t node)
{
    for (uint32_t i = 0; i < count && node >= 0; i++)
        if (items[i].node == node)
            return (int32_t)i;
    return -1;
}

int32_t trip_body(const trip *t, int32_t body)
{
    return body < 0 ? -1 : find(t->document->bodies, trip_back(t)->body_count, t->bodies[body]);
}

typedef struct pair {
    trip *trip;
    const char *kind;
    uint32_t item;
    const char *name;
} pair;

static void same(pair *p, const char *what, double a, double b)
{
    if (!near(a, b))
        differ(p->trip, p->kind, p->item, p->name, what, a, b);
}

static void same_3(pair *p, const char *what, const float a[3], const float b[3])
{
    for (int k = 0; k < 3; k++)
        same(p, what, (double)a[k], (double)b[k]);
}

/* Compares positions and rotations with the precision of floats. */
static void same_place(pair *p, const char *what, const mmd_transform *a, const mmd_transform *b)
{
    double far = fmax(1, sqrt((double)a->translation[0] * (double)a->translation[0] +
                              (double)a->translation[1] * (double)a->translation[1] +
                              (double)a->translation[2] * (double)a->translation[2]) /
                             12.5); /* single precision has an error of 1e-6 metres farther from the origin */
    if (trip_apart(a, b) > 1e-5 * far)
        differ(p->trip, p->kind, p->item, p->name, what, 0, trip_apart(a, b));
    if (trip_turned(a, b) > 1.1e-5) /* rounding in a chain of products */
        differ(p->trip, p->kind, p->item, p->name, "angle", 0, trip_turned(a, b));
}

static mmd_phys_material material_of(const mmd_physscene *scene, const mmd_phys_shape *shape)
{
    return shape->material < 0 ? mmd_default_phys_material() : scene->materials[shape->material];
}

static void same_material(pair *p, const mmd_phys_shape *a, const mmd_phys_shape *b)
{
    mmd_phys_material x = material_of(p->trip->from, a), y = material_of(trip_back(p->trip), b);
    if (a->trigger)
        return;
    same(p, "static friction", (double)x.static_friction, (double)y.static_friction);
    same(p, "friction", (double)x.dynamic_friction, (double)y.dynamic_friction);
    same(p, "restitution", (double)x.restitution, (double)y.restitution);
    same(p, "friction's mode", x.friction_combine, y.friction_combine);
    same(p, "restitution's mode", x.restitution_combine, y.restitution_combine);
}

/* Compares two shapes, including their transforms in the world. Meshes and planes have no size to compare. */
static void same_shape(pair *p, const mmd_phys_body *a, const mmd_phys_shape *x, const mmd_phys_body *b,
                       const mmd_phys_shape *y)
{
    mmd_transform place_a, place_b;
    bool meshes = x->kind == MMD_PHYS_HULL || x->kind == MMD_PHYS_MESH, round = x->kind != MMD_PHYS_SPHERE;
    mmd_transform_multiply(&a->rest, &x->frame, &place_a);
    mmd_transform_multiply(&b->rest, &y->frame, &place_b);
    same(p, "kind", x->kind, y->kind);
    same(p, "trigger", x->trigger, y->trigger);
    same_place(p, "shape's place", &place_a, &place_b);
    same_material(p, x, y);
    if (x->kind != y->kind)
        return;
    for (int k = 0; k < (meshes || x->kind == MMD_PHYS_PLANE ? 0 : round ? 3 : 1); k++)
        same(p, "size", (double)x->size[k], (double)y->size[k]);
    if (!meshes)
        return;
    const mmd_phys_mesh *m = &p->trip->from->meshes[x->mesh], *n = &trip_back(p->trip)->meshes[y->mesh];
    same(p, "points", m->point_count, n->point_count);
    same(p, "triangles", m->index_count, n->index_count);
    for (uint32_t i = 0; i < m->point_count && m->point_count == n->point_count; i++)
        same_3(p, "point", m->points[i], n->points[i]);
    for (uint32_t i = 0; i < m->index_count && m->index_count == n->index_count; i++)
        same(p, "index", m->indices[i], n->indices[i]);
}

static const mmd_phys_shape *solid_shape(const mmd_physscene *scene, const mmd_phys_body *body,
                                         uint32_t which)
{
    for (uint32_t i = 0; i < body->shape_count; i++) {
        const mmd_phys_shape *shape = &scene->shapes[body->first_shape + i];
        if (shape->solid && which-- == 0)
            return shape;
    }
    return NULL;
}

/* Compares the solid shapes of two bodies in order. */
static void same_shapes(pair *p, const mmd_phys_body *a, const mmd_phys_body *b)
{
    for (uint32_t i = 0;; i++) {
        const mmd_phys_shape *x = solid_shape(p->trip->from, a, i),
                             *y = solid_shape(trip_back(p->trip), b, i);
        if (!x && !y)
            return;
        if (!x || !y) {
            differ(p->trip, p->kind, p->item, p->name, "shapes", x != NULL, y != NULL);
            return;
        }
        same_shape(p, a, x, b, y);
    }
}

/* Compares motion, velocities, gravity and damping, and the mass unless it is automatic. */
static void same_motion(pair *p, const mmd_phys_body *a, const mmd_phys_body *b)
{
    const float *g = p->trip->from->world.gravity, *h = trip_back(p->trip)->world.gravity;
    uint8_t motion = a->motion == MMD_PHYS_DYNAMIC_BONE ? MMD_PHYS_DYNAMIC : a->motion;
    same(p, "motion", motion, b->motion);
    same_3(p, "velocity", a->linear_velocity, b->linear_velocity);
    same_3(p, "angular velocity", a->angular_velocity, b->angular_velocity);
    if (motion != MMD_PHYS_DYNAMIC)
        return;
    for (int k = 0; k < 3; k++)
        same(p, "gravity", (double)(a->gravity_factor * g[k]), (double)(b->gravity_factor * h[k]));
    same(p, "damping", (double)a->linear_damping, (double)b->linear_damping);
    same(p, "angular damping", (double)a->angular_damping, (double)b->angular_damping);
    if (!a->auto_mass) {
        same(p, "automatic mass", 0, b->auto_mass);
        same(p, "mass", (double)a->mass, (double)b->mass);
    }
    if (!a->auto_center) {
        same(p, "automatic centre", 0, b->auto_center);
        same_3(p, "centre", a->center, b->center);
    }
    same(p, "automatic inertia", a->auto_inertia, b->auto_inertia);
    if (!a->auto_inertia)
        same_3(p, "inertia", a->inertia, b->inertia);
    if (!a->auto_inertia) {
        mmd_transform x = {{a->inertia_rotation[0], a->inertia_rotation[1], a->inertia_rotation[2],
                            a->inertia_rotation[3]},
                           {0, 0, 0, 0}},
                      y = {{b->inertia_rotation[0], b->inertia_rotation[1], b->inertia_rotation[2],
                            b->inertia_rotation[3]},
                           {0, 0, 0, 0}};
        same_place(p, "axes of inertia", &x, &y);
    }
}

/* Compares a body with the one that it became. */
static void compare_body(trip *t, uint32_t number)
{
    const mmd_phys_body *a = &t->from->bodies[number];
    int32_t found = trip_body(t, (int32_t)number);
    pair p = {t, "body", number, a->name};
    if (found < 0) {
        differ(t, "body", number, a->name, "is there", 1, 0);
        return;
    }
    const mmd_phys_body *b = &trip_back(t)->bodies[found];
    if (a->motion != MMD_PHYS_STATIC)
        same_place(&p, "place", &a->rest, &b->rest);
    same_motion(&p, a, b);
    same_shapes(&p, a, b);
}

/* Compares two gravity fields. Only the members that their kind uses are compared. */
static void same_field(pair *p, const mmd_phys_gravity *a, const mmd_phys_gravity *b)
{
    same(p, "kind", a->kind, b->kind);
    same(p, "body", trip_body(p->trip, a->body), b->body);
    same(p, "priority", a->priority, b->priority);
    same(p, "replaces", a->replace, b->replace);
    same(p, "stops", a->stop, b->stop);
    same(p, "gravity", (double)a->gravity, (double)b->gravity);
    same(p, "unit distance", (double)a->unit_distance, (double)b->unit_distance);
    same(p, "points", a->point_count, b->point_count);
    if (a->kind == MMD_GRAVITY_DIRECTIONAL)
        same_3(p, "direction", a->direction, b->direction);
    if (a->kind == MMD_GRAVITY_DISC || a->kind == MMD_GRAVITY_TORUS)
        same(p, "radius", (double)a->radius, (double)b->radius);
    for (uint32_t i = 0; i < a->point_count && a->point_count == b->point_count; i++)
        same_3(p, "point", a->points[i], b->points[i]);
    if (a->kind == MMD_GRAVITY_SHAPED && a->kind == b->kind)
        same(p, "shape's kind", p->trip->from->shapes[a->shape].kind,
             trip_back(p->trip)->shapes[b->shape].kind);
}

static void compare_fields(trip *t)
{
    for (uint32_t i = 0; i < t->from->gravity_count; i++) {
        pair p = {t, "gravity", i, ""};
        if (i < trip_back(t)->gravity_count)
            same_field(&p, &t->from->gravities[i], &trip_back(t)->gravities[i]);
        else
            differ(t, "gravity", i, "", "is there", 1, 0);
    }
}

/* --------------------------------------------------------------- filters */

bool trip_touch(const mmd_physscene *scene, const mmd_phys_body *a, const mmd_phys_body *b)
{
    const mmd_phys_shape *x, *y;
    for (uint32_t i = 0; (x = solid_shape(scene, a, i)) != NULL; i++)
        for (uint32_t k = 0; (y = solid_shape(scene, b, k)) != NULL; k++)
            if (mmd_physscene_collides(scene, x->filter, y->filter))
                return true;
    return false;
}

/* Compares for all pairs of enabled bodies whether they collide. */
static void compare_filters(trip *t)
{
    const mmd_physscene *from = t->from, *back = trip_back(t);
    for (uint32_t i = 0; i < from->body_count; i++)
        for (uint32_t k = 0; k < from->body_count; k++) {
            int32_t a = trip_body(t, (int32_t)i), b = trip_body(t, (int32_t)k);
            if (a < 0 || b < 0 || from->bodies[i].disabled || from->bodies[k].disabled)
                continue;
            bool before = trip_touch(from, &from->bodies[i], &from->bodies[k]);
            if (before != trip_touch(back, &back->bodies[a], &back->bodies[b]))
                differ(t, "body", i, from->bodies[i].name, "collides", before, !before);
        }
}

/* ---------------------------------------------------------------- joints */

/* Bounds and springs of the six axes of a joint, in MMD's space. Limits over several axes (cones, distances)
 * apply to each of their axes. */
typedef struct axes {
    double lower[6], upper[6], spring[6];
    double stiffness[6];
} axes;

static void free_axes(axes *made)
{
    memset(made, 0, sizeof *made);
    for (int k = 0; k < 6; k++) {
        made->lower[k] = -INFINITY;
        made->upper[k] = INFINITY;
    }
}

static void bound(axes *made, int axis, double lower, double upper)
{
    double far = axis < 3 ? 1e6 : 1e5; /* bounds beyond this mean "no bound" */
    made->lower[axis] = fmax(made->lower[axis], lower <= -far ? -INFINITY : lower);
    made->upper[axis] = fmin(made->upper[axis], upper >= far ? INFINITY : upper);
}

/* Applies a limit to the bounds of its axes. */
static void axes_of_limit(const mmd_phys_limit *limit, axes *made)
{
    bool several = (limit->axes & (limit->axes - 1)) != 0;
    int first = limit->kind == MMD_LIMIT_LINEAR ? 0 : 3;
    double upper = limit->has_max ? (double)limit->max : INFINITY;
    double lower = several ? -upper : limit->has_min ? (double)limit->min : -INFINITY;
    if (limit->kind == MMD_LIMIT_ELLIPSE) {
        bound(made, 4, -upper, upper);
        bound(made, 5, -(double)limit->max2, (double)limit->max2);
        made->stiffness[4] = made->stiffness[5] = limit->soft ? (double)limit->stiffness : 0;
        return;
    }
    for (int k = 0; k < 3; k++)
        if (limit->axes >> k & 1) {
            bound(made, first + k, lower, upper);
            made->stiffness[first + k] = limit->soft ? (double)limit->stiffness : 0;
        }
}

static void axes_of_pmx(const mmd_pmx_joint *pmx, axes *made)
{
    for (int k = 0; k < 3; k++) {
        if (pmx->linear_lower[k] <= pmx->linear_upper[k])
            bound(made, k, (double)pmx->linear_lower[k], (double)pmx->linear_upper[k]);
        if (pmx->angular_lower[k] <= pmx->angular_upper[k] &&
            pmx->angular_upper[k] - pmx->angular_lower[k] < 6.282f)
            bound(made, 3 + k, -(double)pmx->angular_upper[k], -(double)pmx->angular_lower[k]);
    }
}

/* Computes the bounds and springs of a joint's axes from its limits and drives. */
static void axes_of(const mmd_physscene *scene, const mmd_phys_joint *joint, axes *made)
{
    free_axes(made);
    if (joint->kind <= MMD_JOINT_PMX_6DOF)
        axes_of_pmx(&joint->pmx, made);
    for (uint32_t i = 0; i < joint->limit_count; i++)
        axes_of_limit(&scene->limits[joint->first_limit + i], made);
    for (uint32_t i = 0; i < joint->drive_count; i++) {
        const mmd_phys_drive *drive = &scene->drives[joint->first_drive + i];
        if (drive->enabled && drive->kind != MMD_DRIVE_POSE)
            made->spring[drive->axis + (drive->kind == MMD_DRIVE_ANGULAR ? 3 : 0)] +=
                (double)drive->stiffness;
        for (int k = 0; k < 6 && drive->enabled && drive->kind == MMD_DRIVE_POSE; k++)
            made->spring[k] += (double)(k < 3 ? drive->stiffness : drive->angular_stiffness);
    }
    for (int k = 0; k < 3 && joint->kind == MMD_JOINT_PMX_SPRING; k++) {
        bool slides = made->lower[k] != made->upper[k], turns = made->lower[3 + k] != made->upper[3 + k];
        made->spring[k] = slides ? (double)joint->pmx.linear_spring[k] : 0;
        made->spring[3 + k] = turns ? (double)joint->pmx.angular_spring[k] : 0;
    }
}

static mmd_transform frame_of(const mmd_physscene *scene, int32_t body, const mmd_transform *frame)
{
    mmd_transform place = *frame;
    if (body >= 0)
        mmd_transform_multiply(&scene->bodies[body].rest, frame, &place);
    return place;
}

static bool moves(const trip *t, int32_t body)
{
    return body >= 0 && t->from->bodies[body].motion >= MMD_PHYS_DYNAMIC;
}

/* Compares the limits one by one, for dialects that store them as they are. */
static void same_limits(pair *p, const mmd_phys_joint *a, const mmd_phys_joint *b)
{
    same(p, "limits", a->limit_count, b->limit_count);
    for (uint32_t i = 0; i < a->limit_count && a->limit_count == b->limit_count; i++) {
        const mmd_phys_limit *x = &p->trip->from->limits[a->first_limit + i],
                             *y = &trip_back(p->trip)->limits[b->first_limit + i];
        bool several = (x->axes & (x->axes - 1)) != 0;
        same(p, "kind", x->kind, y->kind);
        same(p, "axes", x->axes, y->axes);
        same(p, "soft", x->soft, y->soft);
        if (x->soft && y->soft) {
            same(p, "limit's stiffness", (double)x->stiffness, (double)y->stiffness);
            same(p, "limit's damping", (double)x->damping, (double)y->damping);
        }
        if (x->has_min || (several && y->has_min))
            same(p, "minimum", (double)x->min, (double)y->min);
        if (x->has_max)
            same(p, "maximum", (double)x->max, (double)y->max);
    }
}

/* Compares the drives one by one. */
static void same_drives(pair *p, const mmd_phys_joint *a, const mmd_phys_joint *b)
{
    same(p, "drives", a->drive_count, b->drive_count);
    for (uint32_t i = 0; i < a->drive_count && a->drive_count == b->drive_count; i++) {
        const mmd_phys_drive *x = &p->trip->from->drives[a->first_drive + i],
                             *y = &trip_back(p->trip)->drives[b->first_drive + i];
        same(p, "drive", x->kind, y->kind);
        same(p, "axis", x->axis, y->axis);
        same(p, "acceleration", x->acceleration, y->acceleration);
        same(p, "stiffness", (double)x->stiffness, (double)y->stiffness);
        same(p, "damping", (double)x->damping, (double)y->damping);
        same(p, "target", (double)x->position_target, (double)y->position_target);
        same(p, "velocity", (double)x->velocity_target, (double)y->velocity_target);
        same(p, "greatest force", (double)x->max_force, (double)y->max_force);
    }
}

/* Compares a joint with the one that it became. */
static void compare_joint(trip *t, uint32_t number)
{
    const mmd_phys_joint *a = &t->from->joints[number];
    int32_t found = find(t->document->joints, trip_back(t)->joint_count, t->joints[number]);
    bool omi = t->dialect >= MMD_DIALECT_OMI_CONSTRAINTS;
    pair p = {t, "joint", number, a->name};
    if (found < 0) {
        differ(t, "joint", number, a->name, "is there", 1, 0);
        return;
    }
    const mmd_phys_joint *b = &trip_back(t)->joints[found];
    mmd_transform x = frame_of(t->from, a->body_a, &a->frame_a),
                  y = frame_of(t->from, a->body_b, &a->frame_b),
                  u = frame_of(trip_back(t), b->body_a, &b->frame_a),
                  v = frame_of(trip_back(t), b->body_b, &b->frame_b);
    same_place(&p, "frame A", &x, &u);
    same_place(&p, "frame B", &y, &v);
    if (b->disabled && !a->disabled && (moves(t, a->body_a) || moves(t, a->body_b)))
        differ(t, "joint", number, a->name, "off", 0, 1);
    if (a->body_a >= 0 && t->from->bodies[a->body_a].motion != MMD_PHYS_STATIC)
        same(&p, "body A", trip_body(t, a->body_a), b->body_a);
    if (a->body_b >= 0 && t->from->bodies[a->body_b].motion != MMD_PHYS_STATIC)
        same(&p, "body B", trip_body(t, a->body_b), b->body_b);
    bool strict = a->kind == MMD_JOINT_LIMITS_AND_DRIVES && t->dialect != MMD_DIALECT_OMI_CONSTRAINTS &&
                  !is_told(t, "joint", number);
    for (uint32_t i = 0; i < a->limit_count; i++)
        strict = strict && t->from->limits[a->first_limit + i].kind != MMD_LIMIT_ELLIPSE;
    for (uint32_t i = 0; i < a->drive_count; i++)
        strict = strict && t->from->drives[a->first_drive + i].kind != MMD_DRIVE_POSE;
    if (strict) {
        same_limits(&p, a, b);
        same_drives(&p, a, b);
    }
    if (!omi)
        same(&p, "collide", a->collide, b->collide);
    if (a->kind != MMD_JOINT_LIMITS_AND_DRIVES && a->kind > MMD_JOINT_PMX_6DOF)
        return;
    axes before, after;
    axes_of(t->from, a, &before);
    axes_of(trip_back(t), b, &after);
    for (int k = 0; k < 6; k++) {
        same(&p, "lower", before.lower[k], after.lower[k]);
        same(&p, "upper", before.upper[k], after.upper[k]);
        same(&p, "spring", before.spring[k], after.spring[k]);
        same(&p, "stiffness", before.stiffness[k], after.stiffness[k]);
    }
}

void trip_compare(trip *t)
{
    assert_int_equal(t->document->format, MMD_EXCHANGE_GLTF);
    for (uint32_t i = 0; i < t->from->body_count; i++)
        compare_body(t, i);
    for (uint32_t i = 0; i < t->from->joint_count; i++)
        compare_joint(t, i);
    compare_fields(t);
    compare_filters(t);
}

void trip_tell_losses(const trip *t)
{
    const mmd_losses *losses = &t->output.losses;
    char text[1024] = "";
    for (uint32_t i = 0; i < losses->count; i++) {
        uint32_t same_before = 0, all = 0;
        for (uint32_t k = 0; k < losses->count; k++) {
            bool alike = strcmp(losses->items[k].code, losses->items[i].code) == 0;
            same_before += alike && k < i;
            all += alike;
        }
        size_t used = strlen(text);
        if (same_before == 0)
            snprintf(text + used, sizeof text - used, "%s %u%s", losses->items[i].code, all, ", ");
    }
    print_message("        losses: %s\n", text);
}
