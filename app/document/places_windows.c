/* The drives of Windows (places.h). */
#include "places.h"

#include <windows.h>

void places_add_system(places *found)
{
    const DWORD drives = GetLogicalDrives();
    DWORD before;
    SetThreadErrorMode(SEM_FAILCRITICALERRORS, &before); /* nobody is asked to insert a disc */
    for (int i = 0; i < 26; i++) {
        const char path[] = {(char)('A' + i), ':', '/', '\0'};
        const wchar_t root[] = {(wchar_t)(L'A' + i), L':', L'\\', L'\0'};
        if (drives & 1u << i && GetDriveTypeW(root) != DRIVE_NO_ROOT_DIR)
            places_add(found, PLACE_MEDIUM, path);
    }
    SetThreadErrorMode(before, NULL);
}
