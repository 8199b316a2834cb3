/* The parts of the PMX reader. Private to this module. */
#ifndef MMD_FORMAT_PMX_READER_H
#define MMD_FORMAT_PMX_READER_H

#include "model_reader.h"

/* A text with its length in front. Never NULL. */
const char *pmx_text(model_reader *reader);

/* An index of size 1, 2 or 4 bytes. */
int32_t pmx_signed(model_reader *reader, uint8_t size);
int64_t pmx_vertex(model_reader *reader);

/* An index that must be below count; -1 otherwise, listed unless the file says -1. */
int32_t pmx_reference(model_reader *reader, uint8_t size, uint32_t count, const char *section, uint32_t item,
                      const char *field);

/* A byte that decides how many bytes follow: it must be 0 or 1. */
bool pmx_switch(model_reader *reader, const char *what);

/* The sections, each from its count on. After a failure of the cursor they do nothing. */
void pmx_read_vertices(model_reader *reader);
void pmx_read_surface(model_reader *reader);
void pmx_read_textures(model_reader *reader);
void pmx_read_materials(model_reader *reader);
void pmx_read_bones(model_reader *reader);
void pmx_read_morphs(model_reader *reader);
void pmx_read_frames(model_reader *reader);
void pmx_read_bodies(model_reader *reader);
void pmx_read_joints(model_reader *reader);
void pmx_read_soft_bodies(model_reader *reader);

/* Checks the bodies that impulse morphs name, once their number is known. */
void pmx_check_impulses(model_reader *reader);

static inline int32_t load_signed(const uint8_t *p, uint8_t size)
{
    switch (size) {
    case 1:
        return (int8_t)p[0];
    case 2:
        return (int16_t)load_u16(p);
    default:
        return (int32_t)load_u32(p);
    }
}

/* Vertex indices of 1 and 2 bytes have no sign (MMD.md 1.1). */
static inline int64_t load_vertex(const uint8_t *p, uint8_t size)
{
    switch (size) {
    case 1:
        return p[0];
    case 2:
        return load_u16(p);
    default:
        return (int32_t)load_u32(p);
    }
}

#endif
