/* Adding, finding and mirroring bones. */
#include "rig.h"

#include <assert.h>
#include <string.h>

#include "tool.h"

static const char left[] = "左", right[] = "右";

static int32_t find(const rig *r, const char *name)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (strcmp(r->bones[i].name, name) == 0)
            return (int32_t)i;
    return -1;
}

int32_t rig_find(const rig *r, const char *name)
{
    int32_t bone = find(r, name);
    if (bone < 0)
        tool_die("no bone is called %s", name);
    return bone;
}

int32_t rig_side(const rig *r, int side, const char *name)
{
    return rig_find(r, tool_text(r->arena, "%s%s", side > 0 ? left : right, name));
}

int32_t rig_mirror(const rig *r, int32_t bone)
{
    return r->mirror[bone];
}

vec3 rig_at(const rig *r, const char *name)
{
    const float *p = r->bones[rig_find(r, name)].position;
    return (vec3){{p[0], p[1], p[2]}};
}

static uint16_t flags_of(const rig_spec *spec)
{
    unsigned flags = MMD_BONE_ROTATABLE;
    if (!(spec->flags & RIG_HIDDEN))
        flags |= MMD_BONE_VISIBLE | MMD_BONE_OPERABLE;
    if (spec->flags & RIG_MOVES)
        flags |= MMD_BONE_MOVABLE;
    if (spec->flags & RIG_FIXED_AXIS)
        flags |= MMD_BONE_FIXED_AXIS;
    if (spec->flags & RIG_LOCAL_AXIS)
        flags |= MMD_BONE_LOCAL_AXIS;
    if (spec->flags & RIG_APPEND_ROTATION)
        flags |= MMD_BONE_APPEND_ROTATION;
    return (uint16_t)flags;
}

int32_t rig_add(rig *r, const rig_spec *spec)
{
    if (r->count == RIG_MAX)
        tool_die("more than %d bones", RIG_MAX);
    if (find(r, spec->name) >= 0)
        tool_die("two bones are called %s", spec->name);
    int32_t index = (int32_t)r->count++;
    mmd_bone *bone = &r->bones[index];
    *bone = (mmd_bone){.name = tool_text(r->arena, "%s", spec->name),
                       .name_en = tool_text(r->arena, "%s", spec->name_en ? spec->name_en : ""),
                       .parent = spec->parent ? rig_find(r, spec->parent) : -1,
                       .layer = spec->flags & RIG_LATE ? 1 : 0,
                       .flags = flags_of(spec),
                       .tail_bone = -1,
                       .append_source = spec->source ? rig_find(r, spec->source) : -1,
                       .append_ratio = spec->ratio,
                       .ik_target = -1};
    memcpy(bone->position, spec->position.raw, sizeof bone->position);
    memcpy(bone->tail_offset, spec->tail_offset.raw, sizeof bone->tail_offset);
    r->tails[index] = spec->tail ? tool_text(r->arena, "%s", spec->tail) : NULL;
    r->panels[index] = (uint8_t)spec->panel;
    r->mirror[index] = index;
    return index;
}

const char *rig_right_name(rig *r, const char *name)
{
    size_t length = name ? strlen(name) : 0, side = strlen(left);
    if (length < side)
        return name;
    if (strncmp(name, left, side) == 0)
        return tool_text(r->arena, "%s%s", right, name + side);
    if (strcmp(name + length - side, left) == 0)
        return tool_text(r->arena, "%.*s%s", (int)(length - side), name, right);
    return name;
}

const char *rig_right_name_en(rig *r, const char *name)
{
    size_t length = name ? strlen(name) : 0;
    if (length < 2 || strcmp(name + length - 2, "_L") != 0)
        return name;
    return tool_text(r->arena, "%.*s_R", (int)length - 2, name);
}

int32_t rig_add_pair(rig *r, const rig_spec *spec)
{
    rig_spec other = *spec;
    other.name = rig_right_name(r, spec->name);
    other.name_en = rig_right_name_en(r, spec->name_en);
    other.parent = rig_right_name(r, spec->parent);
    other.tail = rig_right_name(r, spec->tail);
    other.source = rig_right_name(r, spec->source);
    other.position.x = -spec->position.x;
    other.tail_offset.x = -spec->tail_offset.x;
    int32_t a = rig_add(r, spec), b = rig_add(r, &other);
    r->mirror[a] = b;
    r->mirror[b] = a;
    return a;
}

void rig_set_ik(rig *r, const char *goal, const char *target, int loops, float limit,
                const mmd_ik_link *links, uint32_t link_count)
{
    mmd_bone *bone = &r->bones[rig_find(r, goal)];
    assert(link_count > 0);
    mmd_ik_link *copy = tool_alloc(r->arena, link_count, sizeof *copy);
    memcpy(copy, links, link_count * sizeof *copy);
    bone->flags |= MMD_BONE_IK;
    bone->ik_target = rig_find(r, target);
    bone->ik_loops = loops;
    bone->ik_limit = limit;
    bone->ik_links = copy;
    bone->ik_link_count = link_count;
}

static void add_joint(rig *r, int32_t bone, int32_t child)
{
    if (r->joint_count == TOOL_COUNT(r->joints))
        tool_die("too many SDEF joints");
    const float *a = r->bones[bone].position, *b = r->bones[child].position;
    vec3 pivot = {{b[0], b[1], b[2]}};
    vec3 axis = vec3_normalize(vec3_sub(pivot, (vec3){{a[0], a[1], a[2]}}));
    r->joints[r->joint_count++] = (rig_joint){bone, child, pivot, axis};
}

void rig_sdef(rig *r, const char *bone, const char *child)
{
    int32_t a = rig_find(r, bone), b = rig_find(r, child);
    add_joint(r, a, b);
    if (rig_mirror(r, a) != a)
        add_joint(r, rig_mirror(r, a), rig_mirror(r, b));
}

static vec3 tail_direction(const rig *r, const mmd_bone *bone)
{
    vec3 d = {{bone->tail_offset[0], bone->tail_offset[1], bone->tail_offset[2]}};
    if (bone->flags & MMD_BONE_TAIL_IS_BONE) {
        const float *tail = r->bones[bone->tail_bone].position;
        for (int i = 0; i < 3; i++)
            d.raw[i] = tail[i] - bone->position[i];
    }
    return vec3_normalize(d);
}

/* Sets the local axes: X along the bone, Z level and to the front, like the tools for semi-standard bones. */
static void set_axes(const rig *r, mmd_bone *bone)
{
    vec3 x = tail_direction(r, bone);
    vec3 z = vec3_normalize(vec3_cross(x, (vec3){{0, 1, 0}}));
    if (z.z > 0)
        z = vec3_negate(z);
    memcpy(bone->fixed_axis, x.raw, sizeof bone->fixed_axis);
    memcpy(bone->local_x, x.raw, sizeof bone->local_x);
    memcpy(bone->local_z, z.raw, sizeof bone->local_z);
}

void rig_finish(rig *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (r->tails[i]) {
            r->bones[i].tail_bone = rig_find(r, r->tails[i]);
            r->bones[i].flags |= MMD_BONE_TAIL_IS_BONE;
        }
    for (uint32_t i = 0; i < r->count; i++)
        if (r->bones[i].flags & (MMD_BONE_FIXED_AXIS | MMD_BONE_LOCAL_AXIS))
            set_axes(r, &r->bones[i]);
}
