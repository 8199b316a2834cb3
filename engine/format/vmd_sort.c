/*
 * Bottom-up merge sort (Knuth, The Art of Computer Programming, volume 3,
 * 5.2.4) that leaves neighbours alone where they already follow each other.
 */
#include "vmd_records.h"

#include <string.h>

static void merge(uint64_t *numbers, uint64_t *scratch, size_t middle, size_t end)
{
    /* The left half moves out of the way; the right one is read before it is overwritten. */
    memcpy(scratch, numbers, middle * sizeof *numbers);
    size_t left = 0, right = middle, out = 0;
    while (left < middle && right < end)
        numbers[out++] = numbers[right] < scratch[left] ? numbers[right++] : scratch[left++];
    memcpy(numbers + out, scratch + left, (middle - left) * sizeof *numbers);
}

void vmd_sort(uint64_t *numbers, uint64_t *scratch, size_t count)
{
    size_t sorted = 1;
    while (sorted < count && numbers[sorted - 1] <= numbers[sorted])
        sorted++;
    if (sorted >= count)
        return;
    for (size_t width = 1; width < count; width *= 2)
        for (size_t start = 0; count - start > width; start += 2 * width) {
            uint64_t *half = numbers + start;
            size_t end = count - start < 2 * width ? count - start : 2 * width;
            if (half[width - 1] > half[width])
                merge(half, scratch, width, end);
            if (end < 2 * width)
                break;
        }
}
