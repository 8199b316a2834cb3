/* Compares the tracks of two versions of a motion, and says between which frames their keys differ. */
#include <stdlib.h>
#include <string.h>

#include "contents_comparison.h"

typedef struct key_row {
    uint32_t track; /* of the new side, or after its tracks that of the old one */
    uint32_t block, count, hash;
} key_row;

/* The keys of a track that differ. */
typedef struct track_sum {
    uint32_t track, span;
    bool differs;
    uint64_t keys;
    uint64_t first, last; /* frames */
} track_sum;

static int by_block(const void *a, const void *b)
{
    const key_row *x = a, *y = b;
    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    return (x->block > y->block) - (x->block < y->block);
}

static int by_keys(const void *a, const void *b)
{
    const track_sum *x = a, *y = b;
    if (x->keys != y->keys)
        return x->keys > y->keys ? -1 : 1;
    return (x->track > y->track) - (x->track < y->track);
}

/* Returns the span of a track on one side; 0 for none. */
static uint32_t span_of(const contents *side, uint32_t row)
{
    return contents_has(side, CONTENTS_TRACKS, TRACK_SPAN)
               ? contents_value(side, CONTENTS_TRACKS, row, TRACK_SPAN, 0)
               : 0;
}

/* Lists the keys of one side in blocks of the longer span of both sides, sorted. Returns their number. */
static uint32_t list_keys(comparison *c, const contents *side, const track_sum *sums, key_row **result)
{
    const uint32_t all = side->tables[CONTENTS_KEYS].count, tracks = c->now->tables[CONTENTS_TRACKS].count;
    key_row *rows = *result = comparison_take(c, all, sizeof *rows);
    uint32_t count = 0, merged = 0;
    for (uint32_t i = 0; i < all && rows; i++) {
        uint32_t track = contents_value(side, CONTENTS_KEYS, i, KEY_TRACK, 0);
        if (!track)
            continue;
        const uint32_t span = span_of(side, --track);
        if (side == c->was)
            track = c->rows[CONTENTS_TRACKS].went[track] ? c->rows[CONTENTS_TRACKS].went[track] - 1
                                                         : tracks + track;
        rows[count++] = (key_row){
            track, contents_value(side, CONTENTS_KEYS, i, KEY_BLOCK, 0) >> (sums[track].span - span),
            contents_value(side, CONTENTS_KEYS, i, KEY_COUNT, 0),
            contents_value(side, CONTENTS_KEYS, i, KEY_HASH, 0)};
    }
    if (count)
        qsort(rows, count, sizeof *rows, by_block);
    for (uint32_t i = 0; i < count; i++)
        if (merged && by_block(&rows[merged - 1], &rows[i]) == 0) {
            rows[merged - 1].count += rows[i].count;
            rows[merged - 1].hash = (rows[merged - 1].hash + rows[i].hash) & 0xffff;
        } else {
            rows[merged++] = rows[i];
        }
    return merged;
}

/* Adds the keys that differ to their tracks. */
static void sum_keys(comparison *c, track_sum *sums)
{
    key_row *was, *now;
    const uint32_t was_count = list_keys(c, c->was, sums, &was), now_count = list_keys(c, c->now, sums, &now);
    for (uint32_t i = 0, k = 0; (i < was_count || k < now_count) && !c->failed;) {
        const int order = i == was_count ? 1 : k == now_count ? -1 : by_block(&was[i], &now[k]);
        const key_row *row = order <= 0 ? &was[i] : &now[k];
        if (order != 0 || was[i].hash != now[k].hash || was[i].count != now[k].count) {
            track_sum *sum = &sums[row->track];
            const uint64_t first = (uint64_t)row->block << sum->span,
                           last = first + (UINT64_C(1) << sum->span) - 1;
            sum->first = sum->keys && sum->first < first ? sum->first : first;
            sum->last = sum->keys && sum->last > last ? sum->last : last;
            sum->keys += order == 0 && now[k].count > row->count ? now[k].count : row->count;
            sum->differs = true;
        }
        i += order <= 0;
        k += order >= 0;
    }
}

/* Appends what a track moves: "右足ＩＫ", "the camera". */
static void add_track(phrase *p, const char *name)
{
    static const struct {
        contents_track kind;
        const char *words;
        bool named;
    } kinds[] = {{TRACK_BONE, "", true},
                 {TRACK_MORPH, "morph ", true},
                 {TRACK_CAMERA, "the camera", false},
                 {TRACK_LIGHT, "the light", false},
                 {TRACK_SHADOW, "self shadow", false},
                 {TRACK_VISIBLE, "visibility", false},
                 {TRACK_IK, "the IK switch of ", true}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (*name == (char)kinds[i].kind) {
            phrase_add(p, "%s", kinds[i].words);
            if (kinds[i].named)
                phrase_add_name(p, name + 1);
            return;
        }
    phrase_add_name(p, name);
}

static unsigned track_aspects(const char *name)
{
    return *name == TRACK_LIGHT    ? PROVENANCE_LIGHT
           : *name == TRACK_SHADOW ? PROVENANCE_COLOR
                                   : PROVENANCE_POSE;
}

static void add_frames(phrase *p, uint64_t first, uint64_t last)
{
    if (first == last)
        phrase_add(p, " at %llu", (unsigned long long)first);
    else
        phrase_add(p, " between %llu and %llu", (unsigned long long)first, (unsigned long long)last);
}

/* Tells "motion: 14 keys of 右足ＩＫ between 120 and 180", or that the track is new or gone. */
static void tell_track(comparison *c, const track_sum *sum)
{
    phrase p = {0};
    const uint32_t tracks = c->now->tables[CONTENTS_TRACKS].count;
    const bool gone = sum->track >= tracks, added = !gone && !c->rows[CONTENTS_TRACKS].came[sum->track];
    const contents *side = gone ? c->was : c->now;
    const uint32_t row = gone ? sum->track - tracks : sum->track;
    const char *name = contents_name(side, CONTENTS_TRACKS, row);
    phrase_add(&p, "motion: ");
    if (sum->keys) {
        phrase_add(&p, "%s", sum->span == 0 || gone || added ? "" : "up to ");
        phrase_add_counted(&p, sum->keys, "key", "keys");
    } else {
        phrase_add(&p, "keys");
    }
    phrase_add(&p, " of ");
    add_track(&p, name);
    if (sum->keys)
        add_frames(&p, sum->first, sum->last);
    phrase_add(&p, "%s", gone ? ", removed" : added ? ", added" : "");
    comparison_tell(c, &p, track_aspects(name),
                    *name == TRACK_BONE ? comparison_weight(c, CONTENTS_BONES, name + 1) : 0);
}

/* Narrows the frames of a track down to those that it has keys at. */
static void clip_frames(const comparison *c, track_sum *sum)
{
    const uint32_t tracks = c->now->tables[CONTENTS_TRACKS].count;
    const bool gone = sum->track >= tracks;
    const uint32_t came = gone ? sum->track - tracks + 1 : c->rows[CONTENTS_TRACKS].came[sum->track];
    uint64_t first = UINT64_MAX, last = 0;
    for (int i = 0; i < 2; i++) {
        const contents *side = i ? c->now : c->was;
        const uint32_t row = i ? (gone ? 0 : sum->track + 1) : came;
        if (!row || !contents_has(side, CONTENTS_TRACKS, TRACK_LAST))
            continue;
        const uint64_t from = contents_value(side, CONTENTS_TRACKS, row - 1, TRACK_FIRST, 0),
                       to = contents_value(side, CONTENTS_TRACKS, row - 1, TRACK_LAST, 0);
        first = from < first ? from : first;
        last = to > last ? to : last;
    }
    if (first <= last) {
        sum->first = sum->first < first ? first : sum->first;
        sum->last = sum->last > last ? last : sum->last;
    }
}

/* Tells the tracks that differ, those with most keys apart and the others together. */
static void tell_tracks(comparison *c, track_sum *sums, uint32_t count)
{
    qsort(sums, count, sizeof *sums, by_keys);
    track_sum rest = {0};
    uint32_t told = 0, left = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!sums[i].differs)
            continue;
        if (told < ITEMS_APART) {
            told++;
            tell_track(c, &sums[i]);
            continue;
        }
        left++;
        if (!sums[i].keys)
            continue; /* nor their frames are known */
        rest.first = rest.keys && rest.first < sums[i].first ? rest.first : sums[i].first;
        rest.last = rest.keys && rest.last > sums[i].last ? rest.last : sums[i].last;
        rest.keys += sums[i].keys;
        rest.span |= sums[i].span;
    }
    if (!left)
        return;
    phrase p = {0};
    phrase_add(&p, "motion: %s", rest.keys && rest.span ? "up to " : "");
    if (rest.keys)
        phrase_add_counted(&p, rest.keys, "key", "keys");
    else
        phrase_add(&p, "keys");
    phrase_add(&p, " of ");
    phrase_add_counted(&p, left, "more track", "more tracks");
    if (rest.keys)
        add_frames(&p, rest.first, rest.last);
    comparison_tell(c, &p, PROVENANCE_POSE, 0);
}

void comparison_tracks(comparison *c)
{
    const uint32_t was_count = c->was->tables[CONTENTS_TRACKS].count,
                   now_count = c->now->tables[CONTENTS_TRACKS].count;
    if (!comparison_knows_rows(c, CONTENTS_TRACKS)) {
        comparison_tell_table(c, CONTENTS_TRACKS);
        return;
    }
    track_sum *sums = comparison_take(c, (size_t)was_count + now_count, sizeof *sums);
    bool known = comparison_knows_rows(c, CONTENTS_KEYS),
         hashed = comparison_knows(c, CONTENTS_TRACKS, TRACK_HASH);
    for (uint32_t i = 0; i <= KEY_HASH && known; i++)
        known = (contents_has(c->was, CONTENTS_KEYS, i) || !c->was->tables[CONTENTS_KEYS].count) &&
                (contents_has(c->now, CONTENTS_KEYS, i) || !c->now->tables[CONTENTS_KEYS].count);
    if (c->failed)
        return;
    const bool by_row =
        contents_has_row_hash(c->was, CONTENTS_TRACKS) && contents_has_row_hash(c->now, CONTENTS_TRACKS);
    for (uint32_t i = 0; i < was_count + now_count; i++) {
        sums[i].track = i;
        const uint32_t came = i < now_count ? c->rows[CONTENTS_TRACKS].came[i] : i - now_count + 1;
        const uint32_t before = came ? span_of(c->was, came - 1) : 0;
        sums[i].span = i < now_count && span_of(c->now, i) > before ? span_of(c->now, i) : before;
        if (i >= now_count)
            sums[i].differs = !c->rows[CONTENTS_TRACKS].went[i - now_count];
        else if (!came)
            sums[i].differs = true;
        else if (hashed)
            sums[i].differs = !comparison_same_field(c, CONTENTS_TRACKS, TRACK_HASH, came - 1, i);
        else if (by_row)
            sums[i].differs = contents_row_hash(c->was, CONTENTS_TRACKS, came - 1) !=
                              contents_row_hash(c->now, CONTENTS_TRACKS, i);
    }
    if (known)
        sum_keys(c, sums);
    for (uint32_t i = 0; i < was_count + now_count && !c->failed; i++)
        if (sums[i].keys)
            clip_frames(c, &sums[i]);
    if (!c->failed)
        tell_tracks(c, sums, was_count + now_count);
    comparison_tell_renamed(c, CONTENTS_TRACKS);
}
