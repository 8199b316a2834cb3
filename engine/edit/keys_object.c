/* Objects of bones, camera and light while keying: they show what another object does, of the stack. */
#include <assert.h>

#include "keys_internal.h"

void keys_object_matrix(void *self, mmd_edit *edit, double matrix[16])
{
    mmd_transform3d_matrix(edit, ((key_object *)self)->shown, matrix);
}

void keys_object_exclusive(void *self, mmd_edit *edit, double matrix[16])
{
    mmd_transform3d_exclusive(edit, ((key_object *)self)->shown, matrix);
}

bool keys_object_get(void *self, mmd_edit *edit, mmd_component component, double values[3])
{
    return mmd_transform3d_get(edit, ((key_object *)self)->shown, component, values);
}

void keys_object_destroy(void *self)
{
    mmd_transform3d_destroy(((key_object *)self)->shown);
}

mmd_transform3d *keys_object(const mmd_transform3d_table *table, const key_object *made)
{
    assert(made);
    mmd_transform3d *object = made->shown ? mmd_transform3d_create(table, sizeof *made, made->item) : NULL;
    if (object)
        *(key_object *)mmd_transform3d_self(object) = *made;
    else
        mmd_transform3d_destroy(made->shown);
    return object;
}
