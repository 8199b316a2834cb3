/* libFuzzer target for VAC files, including their detection by content. */
#include "mmd/format.h"

#include <math.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mmd_vac *vac = NULL;
    mmd_error error;
    bool told = mmd_file_detect(data, size) == MMD_FILE_VAC;
    if (mmd_vac_read(data, size, &vac, &error) != MMD_OK) {
        REQUIRE(!vac && !told);
        return 0;
    }
    REQUIRE(vac->file[0] && isfinite(vac->scale) && vac->arena.used <= 8 * size + 65536);
    for (int k = 0; k < 3; k++)
        REQUIRE(isfinite(vac->position[k]) && isfinite(vac->rotation[k]));
    mmd_vac_destroy(vac);
    return 0;
}
