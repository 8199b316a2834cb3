/* The parts of the PMD reader. Private to this module. */
#ifndef MMD_FORMAT_PMD_READER_H
#define MMD_FORMAT_PMD_READER_H

#include "model_reader.h"

enum {
    PMD_NAME_SIZE = 20,
    PMD_COMMENT_SIZE = 256,
    PMD_MATERIAL_SIZE = 70,
    PMD_BONE_SIZE = 39,
    PMD_MORPH_OFFSET_SIZE = 16,
    PMD_FRAME_NAME_SIZE = 50,
    PMD_TOON_COUNT = 10,
    PMD_TOON_SIZE = 100
};

/* Finds the model's textures by their names. */
typedef struct pmd_textures {
    uint32_t *slots;     /* a hash table of texture numbers + 1 */
    uint32_t slot_count; /* a power of two */
} pmd_textures;

typedef struct pmd_reader {
    model_reader base;
    pmd_textures textures;
    const uint8_t *materials;   /* the records, for the toons that are known only later */
    const uint8_t *bones;       /* the records; what they mean needs the IK block */
    uint32_t bone_count;        /* without the helpers that IK adds */
    int32_t base_morph;         /* number of the base morph in the file, or -1 */
    uint32_t file_morph_count;  /* with it */
    uint32_t shown_morph_count; /* the morphs' panel, u16 each */
    const uint8_t *shown_morphs;
    uint32_t file_frame_count;
} pmd_reader;

/* The text in a field of size bytes, up to its first NUL. Never NULL. */
const char *pmd_text(pmd_reader *reader, const uint8_t *field, size_t size);
size_t pmd_text_length(const uint8_t *field, size_t size);

/* An index of 16 bits with FFFF for none; listed if it is not below count. */
int32_t pmd_reference(pmd_reader *reader, uint16_t value, uint32_t count, const char *section, uint32_t item,
                      const char *field);

/* The blocks in the file's order. After a failure of the cursor they do nothing. */
void pmd_read_materials(pmd_reader *reader);
void pmd_read_bones(pmd_reader *reader);
void pmd_read_morphs(pmd_reader *reader);
void pmd_read_frames(pmd_reader *reader);
void pmd_read_english(pmd_reader *reader);
void pmd_read_toons(pmd_reader *reader);
void pmd_read_bodies(pmd_reader *reader);
void pmd_read_joints(pmd_reader *reader);

#endif
