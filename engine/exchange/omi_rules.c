/*
 * What the seed of OMI_physics_joint forbids, looked for in the document as it
 * stands: reading takes such joints as far as they mean anything, but other
 * programs may not (omi-physics-joint, "At least one of the connected nodes …",
 * "A connected node cannot be null …", "The lower limit must be …").
 */
#include <stdio.h>
#include <string.h>

#include "exchange_internal.h"

typedef struct rules {
    const json_t *root;
    mmd_rule_function *tell;
    void *context;
} rules;

static void tell(const rules *r, const char *list, size_t index, const char *rule)
{
    char place[64];
    snprintf(place, sizeof place, "%s[%zu]", list, index);
    r->tell(r->context, place, rule);
}

static bool has_axes(const json_t *constraint)
{
    return json_array_size(json_object_get(constraint, "linearAxes")) ||
           json_array_size(json_object_get(constraint, "angularAxes"));
}

static void check_constraint(const rules *r, const json_t *constraint, size_t index)
{
    const json_t *stiffness = json_object_get(constraint, "stiffness");
    float value;
    double lower = json_number_value(json_object_get(constraint, "lowerLimit")),
           upper = json_number_value(json_object_get(constraint, "upperLimit"));
    if (!has_axes(constraint))
        tell(r, "constraints", index, "a constraint with no axis");
    if (lower > upper)
        tell(r, "constraints", index, "the lower limit is above the upper one");
    if (stiffness && json_float_value(stiffness, &value) && value <= 0)
        tell(r, "constraints", index, "a stiffness that is not positive");
}

static const json_t *extension_of(const json_t *object, const char *name)
{
    return json_object_get(json_object_get(object, "extensions"), name);
}

typedef enum end_kind { END_NULL, END_NO_BODY, END_TRIGGER, END_STILL, END_DYNAMIC } end_kind;

/* What a joint's nodeA or nodeB is. */
static end_kind kind_of_end(const rules *r, const json_t *joint, const char *key)
{
    const json_t *number = json_object_get(joint, key);
    if (!json_is_integer(number) || json_integer_value(number) < 0)
        return END_NULL;
    const json_t *node =
                     json_array_get(json_object_get(r->root, "nodes"), (size_t)json_integer_value(number)),
                 *body = extension_of(node, "OMI_physics_body"), *motion = json_object_get(body, "motion");
    const char *type = json_string_value(json_object_get(motion, "type"));
    if (!json_is_object(body))
        return END_NO_BODY;
    if (!motion && json_object_get(body, "trigger"))
        return END_TRIGGER;
    return type && strcmp(type, "dynamic") == 0 ? END_DYNAMIC : END_STILL;
}

static void check_joint(const rules *r, const json_t *joint, size_t node)
{
    static const char *const forbidden[2][3] = {
        {"nodeA is null", "nodeA is no body", "nodeA is a trigger"},
        {"nodeB is null", "nodeB is no body", "nodeB is a trigger"},
    };
    const end_kind ends[2] = {kind_of_end(r, joint, "nodeA"), kind_of_end(r, joint, "nodeB")};
    for (int i = 0; i < 2; i++)
        if (ends[i] <= END_TRIGGER)
            tell(r, "nodes", node, forbidden[i][ends[i]]);
    if (ends[0] != END_DYNAMIC && ends[1] != END_DYNAMIC)
        tell(r, "nodes", node, "neither body is dynamic");
    if (!json_array_size(json_object_get(joint, "constraints")))
        tell(r, "nodes", node, "a joint without constraints");
}

void mmd_exchange_check_omi(const mmd_exchange *document, mmd_rule_function *function, void *context)
{
    if (document->dialect != MMD_DIALECT_OMI_SEED || !document->kept)
        return;
    const rules r = {document->kept->root, function, context};
    const json_t *nodes = json_object_get(r.root, "nodes"),
                 *constraints = json_object_get(extension_of(r.root, "OMI_physics_joint"), "constraints");
    for (size_t i = 0; i < json_array_size(constraints); i++)
        check_constraint(&r, json_array_get(constraints, i), i);
    for (size_t i = 0; i < json_array_size(nodes); i++) {
        const json_t *joint = extension_of(json_array_get(nodes, i), "OMI_physics_joint");
        if (joint)
            check_joint(&r, joint, i);
    }
}

uint32_t mmd_exchange_list_size(const mmd_exchange *document, const char *list)
{
    const json_t *root = document->kept ? document->kept->root : NULL;
    return (uint32_t)json_array_size(json_object_get(root, list));
}
