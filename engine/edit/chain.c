/* The chain of handlers, and the interface objects that they return. */
#include <assert.h>
#include <string.h>

#include "edit_internal.h"
#include "mmd/memory.h"

struct mmd_transform3d {
    const mmd_transform3d_table *table;
    mmd_item item;
    _Alignas(16) unsigned char self[];
};

mmd_transform3d *mmd_transform3d_create(const mmd_transform3d_table *table, size_t size, mmd_item item)
{
    assert(table->matrix && table->exclusive && table->get);
    mmd_transform3d *object = mmd_alloc(sizeof *object + size);
    if (!object)
        return NULL;
    memset(object, 0, sizeof *object + size);
    object->table = table;
    object->item = item;
    return object;
}

void mmd_transform3d_destroy(mmd_transform3d *object)
{
    if (object && object->table->destroy)
        object->table->destroy(object->self);
    mmd_free(object);
}

void *mmd_transform3d_self(mmd_transform3d *object)
{
    assert(object);
    return object->self;
}

mmd_item mmd_transform3d_item(const mmd_transform3d *object)
{
    assert(object);
    return object->item;
}

void mmd_transform3d_matrix(mmd_edit *edit, mmd_transform3d *object, double matrix[16])
{
    assert(object);
    object->table->matrix(object->self, edit, matrix);
}

void mmd_transform3d_exclusive(mmd_edit *edit, mmd_transform3d *object, double matrix[16])
{
    assert(object);
    object->table->exclusive(object->self, edit, matrix);
}

void mmd_transform3d_inclusive(mmd_edit *edit, mmd_transform3d *object, double matrix[16])
{
    assert(object);
    double own[16];
    mmd_transform3d_exclusive(edit, object, matrix);
    mmd_transform3d_matrix(edit, object, own);
    edit_multiply(matrix, own, matrix);
}

bool mmd_transform3d_get(mmd_edit *edit, mmd_transform3d *object, mmd_component component, double values[3])
{
    assert(object);
    assert((unsigned)component < MMD_COMPONENTS);
    return object->table->get(object->self, edit, component, values);
}

mmd_command *mmd_transform3d_command(mmd_edit *edit, mmd_transform3d *object, mmd_component component,
                                     const double values[3])
{
    assert(edit && object);
    assert((unsigned)component < MMD_COMPONENTS);
    edit->refusal[0] = '\0';
    if (object->table->command)
        return object->table->command(object->self, edit, component, values);
    mmd_edit_refuse_item(edit, MMD_REFUSAL_READ_ONLY, mmd_transform3d_item(object), NULL, NULL);
    return NULL;
}

mmd_command *mmd_transform3d_matrix_command(mmd_edit *edit, mmd_transform3d *object, const double matrix[16])
{
    assert(edit && object);
    edit->refusal[0] = '\0';
    if (object->table->set_matrix)
        return object->table->set_matrix(object->self, edit, matrix);
    mmd_edit_refuse_item(edit, MMD_REFUSAL_READ_ONLY, mmd_transform3d_item(object), NULL, NULL);
    return NULL;
}

/* --- Asking the handlers --- */

/* Asks the first handler that can give an object for the whole item. The question is saved because
 * handlers may ask further ones. */
static mmd_transform3d *ask_whole(mmd_edit *edit, const mmd_handler_link *link, mmd_item item)
{
    const edit_question before = edit->question;
    while (link && !link->handler->transform3d)
        link = link->next;
    edit->question.link = NULL;
    mmd_transform3d *object = link ? link->handler->transform3d(link->context, edit, link, item) : NULL;
    edit->question = before;
    return object;
}

/* Asks for an object for an edit of the given kind. A handler without edit_transform3d serves it with
 * transform3d, as UFE's handlers do by default. */
static mmd_transform3d *ask_edit(mmd_edit *edit, const mmd_handler_link *link, mmd_item item,
                                 mmd_edit_hint hint)
{
    const edit_question before = edit->question;
    while (link && !link->handler->edit_transform3d && !link->handler->transform3d)
        link = link->next;
    mmd_transform3d *object = NULL;
    if (link && link->handler->edit_transform3d) {
        edit->question.link = NULL;
        object = link->handler->edit_transform3d(link->context, edit, link, item, hint);
    } else if (link) {
        edit->question = (edit_question){.link = link, .hint = hint};
        object = link->handler->transform3d(link->context, edit, link, item);
    }
    edit->question = before;
    return object;
}

mmd_transform3d *mmd_edit_next_transform3d(mmd_edit *edit, const mmd_handler_link *link, mmd_item item)
{
    assert(edit);
    return edit->question.link == link ? ask_edit(edit, link->next, item, edit->question.hint)
                                       : ask_whole(edit, link->next, item);
}

mmd_transform3d *mmd_edit_next_edit_transform3d(mmd_edit *edit, const mmd_handler_link *link, mmd_item item,
                                                mmd_edit_hint hint)
{
    assert(edit && link);
    assert((unsigned)hint <= MMD_HINT_SCALE_PIVOT);
    return ask_edit(edit, link->next, item, hint);
}

/* Clears the last refusal, and refuses if the item does not exist. */
static bool is_there(mmd_edit *edit, mmd_item item)
{
    edit->refusal[0] = '\0';
    if (mmd_edit_has(edit, item))
        return true;
    mmd_edit_refuse_as(edit, MMD_REFUSAL_NO_ITEM, NULL, NULL);
    return false;
}

mmd_transform3d *mmd_edit_transform3d(mmd_edit *edit, mmd_item item)
{
    assert(edit);
    return is_there(edit, item) ? ask_whole(edit, edit->chain, item) : NULL;
}

mmd_transform3d *mmd_edit_edit_transform3d(mmd_edit *edit, mmd_item item, mmd_edit_hint hint)
{
    assert(edit);
    assert((unsigned)hint <= MMD_HINT_SCALE_PIVOT);
    return is_there(edit, item) ? ask_edit(edit, edit->chain, item, hint) : NULL;
}

mmd_transform3d *mmd_edit_read_transform3d(mmd_edit *edit, mmd_item item)
{
    assert(edit);
    const stack_object whole = {.layout = &edit_common_layout, .mode = OBJECT_WHOLE, .read_only = true};
    return is_there(edit, item) ? edit_object_create(edit, item, &whole) : NULL;
}

mmd_transform3d *mmd_edit_op_transform3d(mmd_edit *edit, mmd_item item, const char *name)
{
    assert(edit);
    mmd_op ops[MMD_OPS_MAX];
    if (!is_there(edit, item))
        return NULL;
    size_t count = edit_source_of(item)->read(edit, item, ops), index = edit_op_index(ops, count, name);
    if (index == count) {
        mmd_edit_refuse_item(edit, MMD_REFUSAL_NO_OP, item, name, NULL);
        return NULL;
    }
    stack_object one = {.layout = &edit_matrix_layout, .mode = OBJECT_OP, .read_only = ops[index].read_only};
    memcpy(one.op, ops[index].name, sizeof one.op);
    return edit_object_create(edit, item, &one);
}

/* --- Changing the chain --- */

/* Creates a link of the chain. NULL when out of memory. */
static mmd_handler_link *make_link(const mmd_handler *handler, void *context)
{
    mmd_handler_link *link = mmd_alloc(sizeof *link);
    if (link)
        *link = (mmd_handler_link){.handler = handler, .context = context};
    return link;
}

/* Frees a link and destroys the context of its handler. */
static void free_link(mmd_handler_link *link)
{
    if (link->handler->destroy)
        link->handler->destroy(link->context);
    mmd_free(link);
}

void edit_free_chain(mmd_handler_link *chain)
{
    while (chain) {
        mmd_handler_link *next = chain->next;
        free_link(chain);
        chain = next;
    }
}

/* Returns the pointer to the link of a name; NULL if there is none. */
static mmd_handler_link **slot_of(mmd_edit *edit, const char *name)
{
    mmd_handler_link **slot = &edit->chain;
    while (*slot && strcmp((*slot)->handler->name, name) != 0)
        slot = &(*slot)->next;
    return *slot ? slot : NULL;
}

const char *mmd_edit_handler_name(const mmd_edit *edit, size_t index)
{
    assert(edit);
    const mmd_handler_link *link = edit->chain;
    while (link && index--)
        link = link->next;
    return link ? link->handler->name : NULL;
}

bool mmd_edit_add_handler(mmd_edit *edit, const char *before, const mmd_handler *handler, void *context)
{
    assert(edit && handler);
    mmd_handler_link **slot = before ? slot_of(edit, before) : &edit->chain;
    mmd_handler_link *link = slot && !slot_of(edit, handler->name) ? make_link(handler, context) : NULL;
    if (!link)
        return false;
    link->next = *slot;
    *slot = link;
    return true;
}

bool mmd_edit_replace_handler(mmd_edit *edit, const char *name, const mmd_handler *handler, void *context)
{
    assert(edit && handler);
    mmd_handler_link **slot = slot_of(edit, name), **same = slot_of(edit, handler->name);
    mmd_handler_link *link = slot && (!same || same == slot) ? make_link(handler, context) : NULL;
    if (!link)
        return false;
    mmd_handler_link *old = *slot;
    link->next = old->next;
    *slot = link;
    free_link(old);
    return true;
}

bool mmd_edit_remove_handler(mmd_edit *edit, const char *name)
{
    assert(edit);
    mmd_handler_link **slot = slot_of(edit, name), *old = slot ? *slot : NULL;
    if (!old)
        return false;
    *slot = old->next;
    free_link(old);
    return true;
}

/* Frees the links of a chain that was not installed. Contexts stay with the caller. */
static void free_links_only(mmd_handler_link *chain)
{
    while (chain) {
        mmd_handler_link *next = chain->next;
        mmd_free(chain);
        chain = next;
    }
}

/* Tests whether no earlier handler of a list has the same name. */
static bool is_unique(const mmd_handler_link *chain, const char *name)
{
    for (; chain; chain = chain->next)
        if (!strcmp(chain->handler->name, name))
            return false;
    return true;
}

bool mmd_edit_set_chain(mmd_edit *edit, const mmd_handler *const *handlers, void *const *contexts,
                        size_t count)
{
    assert(edit);
    mmd_handler_link *made = NULL, **end = &made;
    if (!handlers)
        return edit_standard_chain(edit);
    for (size_t i = 0; i < count; i++) {
        *end =
            is_unique(made, handlers[i]->name) ? make_link(handlers[i], contexts ? contexts[i] : NULL) : NULL;
        if (!*end) {
            free_links_only(made);
            return false;
        }
        end = &(*end)->next;
    }
    mmd_handler_link *old = edit->chain;
    edit->chain = made;
    edit_free_chain(old);
    return true;
}
