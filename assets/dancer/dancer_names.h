/* Indices of materials and morphs. Their properties are tables in materials.c and morphs.c. */
#ifndef DANCER_NAMES_H
#define DANCER_NAMES_H

/* In drawing order: translucent materials come last. */
typedef enum material_id {
    MATERIAL_SKIN,
    MATERIAL_FACE,
    MATERIAL_MOUTH, /* inside of the mouth, tongue, teeth */
    MATERIAL_WHITE, /* of the eyes */
    MATERIAL_IRIS,
    MATERIAL_TOP,
    MATERIAL_TRIM, /* piping of the top and sleeves */
    MATERIAL_SKIRT,
    MATERIAL_SKIRT_INSIDE,
    MATERIAL_OBI,
    MATERIAL_BOW,
    MATERIAL_SOCK,
    MATERIAL_BOOT,
    MATERIAL_SOLE,
    MATERIAL_HAIR,
    MATERIAL_RIBBON, /* ribbon that ties the ponytail */
    MATERIAL_GOLD,   /* ornaments */
    MATERIAL_LASH,   /* lashes and brows */
    MATERIAL_BLUSH,
    MATERIAL_COUNT
} material_id;

typedef enum morph_id {
    /* brows */
    MORPH_SERIOUS,   /* 真面目 */
    MORPH_TROUBLED,  /* 困る */
    MORPH_CHEERFUL,  /* にこり */
    MORPH_ANGRY,     /* 怒り */
    MORPH_BROW_UP,   /* 上 */
    MORPH_BROW_DOWN, /* 下 */
    /* eyes */
    MORPH_BLINK,       /* まばたき */
    MORPH_SMILE,       /* 笑い */
    MORPH_WINK,        /* ウィンク, the left eye, smiling */
    MORPH_WINK_RIGHT,  /* ウィンク右 */
    MORPH_WINK2,       /* ウィンク２, the left eye, straight */
    MORPH_WINK2_RIGHT, /* ｳｨﾝｸ２右 */
    MORPH_CALM,        /* なごみ */
    MORPH_SURPRISED,   /* びっくり */
    MORPH_HALF,        /* じと目 */
    MORPH_PUPIL_SMALL, /* 瞳小 (UV) */
    /* mouth */
    MORPH_A,
    MORPH_I,
    MORPH_U,
    MORPH_E,
    MORPH_O,
    MORPH_GRIN,         /* にやり */
    MORPH_POUT,         /* む */
    MORPH_CORNERS_UP,   /* 口角上げ */
    MORPH_CORNERS_DOWN, /* 口角下げ */
    /* others */
    MORPH_BEAM,       /* にっこり (group) */
    MORPH_BLUSHED,    /* 照れ (material) */
    MORPH_HAIR_COLOR, /* 髪色 (material) */
    MORPH_BREATH,     /* 深呼吸 (bones) */
    MORPH_COUNT
} morph_id;

#endif
