/* The clipboard of Windows: pictures are put into it as PNG and as a bitmap with alpha, files are read as
 * Explorer copies them. */
#include "clipboard.h"

#include <windows.h>

#include <shellapi.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "clipboard_read.h"
#include "mmd/image.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "mmd/platform_windows.h"

/* How often the clipboard is tried to open, which another program may have open, and the wait between. */
enum { TRIES = 20, TRY_MILLISECONDS = 10 };

enum { COLOURS_SRGB = 0x73524742 }; /* LCS_sRGB, which is a constant of several characters */

static bool open_clipboard(HWND owner)
{
    for (int i = 0; i < TRIES; i++) {
        if (OpenClipboard(owner))
            return true;
        Sleep(TRY_MILLISECONDS);
    }
    return false;
}

/* --- Pictures --- */

/* Puts bytes into the open clipboard. */
static bool put(UINT format, const void *bytes, size_t size)
{
    HGLOBAL memory = GlobalAlloc(GMEM_MOVEABLE, size);
    void *to = memory ? GlobalLock(memory) : NULL;
    if (to) {
        memcpy(to, bytes, size);
        GlobalUnlock(memory);
        if (SetClipboardData(format, memory))
            return true; /* the memory is the clipboard's now */
    }
    if (memory)
        GlobalFree(memory);
    return false;
}

/* Makes a bitmap of a PNG file: a header, then rows of BGRA from the bottom up. Returns false with nothing in
 * `bitmap` when out of memory. */
static bool make_bitmap(const mmd_buffer *png, mmd_buffer *bitmap)
{
    mmd_image image = {0};
    mmd_error error = {0};
    if (mmd_image_decode(png->data, png->size, "picture", &image, &error) != MMD_OK)
        return false;
    const BITMAPV5HEADER header = {.bV5Size = sizeof header,
                                   .bV5Width = (LONG)image.width,
                                   .bV5Height = (LONG)image.height,
                                   .bV5Planes = 1,
                                   .bV5BitCount = 32,
                                   .bV5Compression = BI_BITFIELDS,
                                   .bV5SizeImage = 4 * image.width * image.height,
                                   .bV5RedMask = 0x00ff0000,
                                   .bV5GreenMask = 0x0000ff00,
                                   .bV5BlueMask = 0x000000ff,
                                   .bV5AlphaMask = 0xff000000,
                                   .bV5CSType = COLOURS_SRGB,
                                   .bV5Intent = LCS_GM_IMAGES};
    mmd_write_bytes(bitmap, &header, sizeof header);
    for (uint32_t y = image.height; y-- > 0;) {
        const uint8_t *row = image.pixels + (size_t)4 * image.width * y;
        for (uint32_t x = 0; x < image.width; x++, row += 4) {
            const uint8_t bgra[4] = {row[2], row[1], row[0], row[3]};
            mmd_write_bytes(bitmap, bgra, sizeof bgra);
        }
    }
    mmd_image_finish(&image);
    if (bitmap->failed)
        mmd_buffer_finish(bitmap);
    return bitmap->size > 0;
}

bool clipboard_put_png(const mmd_buffer *png, char *error)
{
    mmd_buffer bitmap = {0};
    if (!make_bitmap(png, &bitmap))
        return refuse_with(error, "out of memory");
    /* The owner may go after the clipboard is closed, because the data are there already. */
    HWND owner = CreateWindowExW(0, L"STATIC", NULL, 0, 0, 0, 0, 0, HWND_MESSAGE, NULL, NULL, NULL);
    bool done = false;
    if (owner && open_clipboard(owner)) {
        done = EmptyClipboard() && put(CF_DIBV5, bitmap.data, bitmap.size) &&
               put(RegisterClipboardFormatW(L"PNG"), png->data, png->size);
        done = CloseClipboard() && done;
    }
    if (owner)
        DestroyWindow(owner);
    mmd_buffer_finish(&bitmap);
    return done || refuse_with(error, "Windows refused the picture: another program has the clipboard open");
}

/* --- Files --- */

void clipboard_tidy_path(char *path)
{
    const size_t length = strlen(path);
    if (length >= 2 && path[0] == '"' && path[length - 1] == '"') {
        memmove(path, path + 1, length - 2);
        path[length - 2] = '\0';
    }
    platform_path_tidy(path);
}

/* Reading does not wait for other programs longer than open_clipboard does, so it needs no thread. */
struct clipboard_reader {
    void (*wake)(void *user);
    void *user;
    clipboard_state state;
    mmd_buffer files;
};

clipboard_reader *clipboard_reader_create(void (*wake)(void *user), void *user)
{
    clipboard_reader *r = mmd_alloc(sizeof *r);
    if (r)
        *r = (clipboard_reader){.wake = wake, .user = user};
    return r;
}

void clipboard_reader_destroy(clipboard_reader *r)
{
    if (r)
        mmd_buffer_finish(&r->files);
    mmd_free(r);
}

/* Writes the path of a file of a list, and a line break. One that is too long to be opened is left out. */
static void write_file(HDROP list, UINT index, mmd_buffer *out)
{
    wchar_t wide[MMD_FILE_PATH_MAX];
    char path[MMD_FILE_PATH_MAX];
    if (DragQueryFileW(list, index, NULL, 0) >= MMD_FILE_PATH_MAX ||
        !DragQueryFileW(list, index, wide, MMD_FILE_PATH_MAX) || !platform_narrow_path(wide, path))
        return;
    mmd_write_bytes(out, path, strlen(path));
    mmd_write_u8(out, '\n');
}

bool clipboard_reader_begin(clipboard_reader *r)
{
    if (!r || r->state != CLIPBOARD_IDLE)
        return r != NULL;
    r->state = CLIPBOARD_SILENT;
    if (open_clipboard(NULL)) {
        const HDROP list = GetClipboardData(CF_HDROP);
        const UINT count = list ? DragQueryFileW(list, 0xffffffff, NULL, 0) : 0;
        for (UINT i = 0; i < count; i++)
            write_file(list, i, &r->files);
        CloseClipboard();
        mmd_write_u8(&r->files, 0);
        r->state = r->files.size > 1 && !r->files.failed ? CLIPBOARD_FILES : CLIPBOARD_OTHER;
    }
    if (r->wake)
        r->wake(r->user);
    return true;
}

clipboard_state clipboard_reader_poll(clipboard_reader *r, mmd_buffer *files)
{
    *files = (mmd_buffer){0};
    if (!r)
        return CLIPBOARD_IDLE;
    const clipboard_state state = r->state;
    if (state == CLIPBOARD_FILES)
        *files = r->files;
    else
        mmd_buffer_finish(&r->files);
    r->files = (mmd_buffer){0};
    r->state = CLIPBOARD_IDLE;
    return state;
}
