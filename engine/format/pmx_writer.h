/* The parts of the PMX writer. Private to this module. */
#ifndef MMD_FORMAT_PMX_WRITER_H
#define MMD_FORMAT_PMX_WRITER_H

#include "mmd/format.h"

typedef struct pmx_writer {
    const mmd_model *model;
    mmd_buffer *out;
    mmd_pmx_layout layout; /* as it will be written */
    bool version_2_1;
    uint8_t *text;         /* scratch for encoded texts */
    size_t text_capacity;
} pmx_writer;

void pmx_write_text(pmx_writer *writer, const char *text);
void pmx_write_count(pmx_writer *writer, uint32_t count);
void pmx_write_index(pmx_writer *writer, int32_t index, uint8_t size);

void pmx_write_vertices(pmx_writer *writer);
void pmx_write_surface(pmx_writer *writer);
void pmx_write_materials(pmx_writer *writer);
void pmx_write_bones(pmx_writer *writer);
void pmx_write_morphs(pmx_writer *writer);
void pmx_write_frames(pmx_writer *writer);
void pmx_write_bodies(pmx_writer *writer);
void pmx_write_joints(pmx_writer *writer);
void pmx_write_soft_bodies(pmx_writer *writer);

#endif
