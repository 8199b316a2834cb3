/* The sandbox where the system offers none (sandbox.h). */
#include "sandbox.h"

#include "sandbox_helper.h"

void sandbox_begin(bool draws)
{
    (void)draws;
}

bool sandbox_has_untried_driver(void)
{
    return false;
}

void sandbox_read(const char *path)
{
    (void)path;
}

void sandbox_read_beside(const char *path)
{
    (void)path;
}

void sandbox_read_around(const char *path)
{
    (void)path;
}

void sandbox_write(const char *path)
{
    (void)path;
}

void sandbox_write_numbered(const char *begin, const char *end)
{
    (void)begin, (void)end;
}

void sandbox_write_new_beside(const char *path)
{
    (void)path;
}

void sandbox_write_folder(const char *folder)
{
    (void)folder;
}

void sandbox_write_temporary(const char *folder)
{
    (void)folder;
}

void sandbox_create_folder(const char *folder)
{
    (void)folder;
}

void sandbox_create_subfolder(const char *folder)
{
    (void)folder;
}

const char *sandbox_enter(void)
{
    return "";
}

void sandbox_helper_end(void) {}
