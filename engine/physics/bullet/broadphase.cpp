/* The sweep-and-prune broadphase (broadphase.hpp). */
#include <cassert>

#include "broadphase.hpp"

/* Moves per element after which the insertion sort gives up. */
static const int moves_each = 32;

/* Comparisons per element above which the axis is chosen again. */
static const int64_t compared_each = 256;

/* Proxies with higher numbers are not noted, so that the notes take at most 1 MiB. */
static const int noted_most = 1024;

/* ------------------------------------------------------------------ pairs */

void noting_pairs::forget_notes(int end)
{
    end_ = btMin(end, noted_most);
    notes_.resizeNoInitialize(0);
    notes_.resize(end_ * end_, 0);
}

/* Returns NULL for proxies that are not noted. */
uint8_t *noting_pairs::note_of(const btBroadphaseProxy *a, const btBroadphaseProxy *b)
{
    int low = btMin(a->m_uniqueId, b->m_uniqueId), high = btMax(a->m_uniqueId, b->m_uniqueId);
    return high < end_ ? &notes_[low * end_ + high] : nullptr;
}

void noting_pairs::add(btBroadphaseProxy *a, btBroadphaseProxy *b)
{
    uint8_t *note = note_of(a, b);
    if (note && *note)
        return;
    addOverlappingPair(a, b);
    if (note)
        *note = 1;
}

void *noting_pairs::removeOverlappingPair(btBroadphaseProxy *a, btBroadphaseProxy *b,
                                          btDispatcher *dispatcher)
{
    uint8_t *note = note_of(a, b);
    if (note)
        *note = 0;
    return btHashedOverlappingPairCache::removeOverlappingPair(a, b, dispatcher);
}

sweep_broadphase::~sweep_broadphase()
{
    for (int i = 0; i < entries_.size(); i++)
        delete entries_[i].proxy;
    for (int i = 0; i < free_.size(); i++)
        delete free_[i];
}

/* ---------------------------------------------------------------- proxies */

btBroadphaseProxy *sweep_broadphase::createProxy(const btVector3 &low, const btVector3 &high, int,
                                                 void *object, int group, int mask, btDispatcher *)
{
    btBroadphaseProxy *proxy;
    if (free_.size()) {
        proxy = free_[free_.size() - 1];
        free_.pop_back();
        *proxy = btBroadphaseProxy(low, high, object, group, mask);
    } else {
        proxy = new btBroadphaseProxy(low, high, object, group, mask);
    }
    proxy->m_uniqueId = next_number_++;
    entry made;
    made.proxy = proxy;
    entries_.push_back(made);
    changed_ = proxies_changed_ = true;
    return proxy;
}

void sweep_broadphase::destroyProxy(btBroadphaseProxy *proxy, btDispatcher *dispatcher)
{
    pairs_.removeOverlappingPairsContainingProxy(proxy, dispatcher);
    int kept = 0;
    for (int i = 0; i < entries_.size(); i++)
        if (entries_[i].proxy != proxy)
            entries_[kept++] = entries_[i];
    entries_.resizeNoInitialize(kept);
    free_.push_back(proxy);
    changed_ = proxies_changed_ = true;
}

void sweep_broadphase::setAabb(btBroadphaseProxy *proxy, const btVector3 &low, const btVector3 &high,
                               btDispatcher *)
{
    assert(proxy);
    proxy->m_aabbMin = low;
    proxy->m_aabbMax = high;
}

void sweep_broadphase::getAabb(btBroadphaseProxy *proxy, btVector3 &low, btVector3 &high) const
{
    low = proxy->m_aabbMin;
    high = proxy->m_aabbMax;
}

void sweep_broadphase::clear(btDispatcher *dispatcher)
{
    btBroadphasePairArray &pairs = pairs_.getOverlappingPairArray();
    while (pairs.size()) {
        const btBroadphasePair &last = pairs[pairs.size() - 1];
        pairs_.removeOverlappingPair(last.m_pProxy0, last.m_pProxy1, dispatcher);
    }
    for (int i = 0; i < entries_.size(); i++)
        free_.push_back(entries_[i].proxy);
    entries_.resizeNoInitialize(0);
    changed_ = proxies_changed_ = true;
}

void sweep_broadphase::resetPool(btDispatcher *)
{
    if (!entries_.size())
        next_number_ = 1;
}

/* ------------------------------------------------------------------ the sweep */

void sweep_broadphase::refresh()
{
    for (int i = 0; i < entries_.size(); i++) {
        entry &e = entries_[i];
        for (int k = 0; k < 3; k++) {
            e.low[k] = e.proxy->m_aabbMin[k];
            e.high[k] = e.proxy->m_aabbMax[k];
        }
    }
}

/* Chooses the axis along which the centres of bounded objects are farthest apart. */
void sweep_broadphase::choose_axis()
{
    const btScalar endless = btScalar(1e6);
    btScalar spread[3];
    for (int k = 0; k < 3; k++) {
        btScalar least = BT_LARGE_FLOAT, most = -BT_LARGE_FLOAT;
        for (int i = 0; i < entries_.size(); i++) {
            const entry &e = entries_[i];
            if (e.high[k] - e.low[k] > endless)
                continue;
            btSetMin(least, e.low[k] + e.high[k]);
            btSetMax(most, e.low[k] + e.high[k]);
        }
        spread[k] = most - least;
    }
    axis_ = spread[1] > spread[0] ? 1 : 0;
    if (spread[2] > spread[axis_])
        axis_ = 2;
    changed_ = false;
}

/* Orders by the lower bound, then by number, so that the result does not depend on the previous order. */
struct sweep_broadphase::before {
    int axis;
    bool operator()(const entry &a, const entry &b) const
    {
        return a.low[axis] < b.low[axis] ||
               (a.low[axis] == b.low[axis] && a.proxy->m_uniqueId < b.proxy->m_uniqueId);
    }
};

/*
 * Sorts. From one step to the next the order hardly changes, which an insertion sort exploits; after large
 * changes it is replaced by a heap sort.
 */
void sweep_broadphase::sort()
{
    int left = moves_each * entries_.size();
    for (int i = 1; i < entries_.size(); i++) {
        entry moving = entries_[i];
        int at = i;
        for (; at > 0 && !before{axis_}(entries_[at - 1], moving); at--)
            entries_[at] = entries_[at - 1];
        entries_[at] = moving;
        left -= i - at;
        if (left < 0) {
            entries_.heapSort(before{axis_});
            return;
        }
    }
}

/*
 * Adds overlapping pairs. Thousands of bodies in one place would make millions of pairs, so their number is
 * limited; more are added only when others separate. Their filters may refuse all pairs, so the number of
 * comparisons is limited, too. It is that of 5,800 bodies in one place.
 */
void sweep_broadphase::sweep()
{
    const int most = 1 << 16;
    const int64_t most_compared = 1 << 24;
    int x = axis_, y = (axis_ + 1) % 3, z = (axis_ + 2) % 3;
    int64_t left = compared_each * entries_.size(), compared = 0;
    for (int i = 0; i < entries_.size() && compared < most_compared; i++) {
        const entry a = entries_[i];
        int j = i + 1;
        for (; j < entries_.size() && entries_[j].low[x] <= a.high[x]; j++) {
            const entry &b = entries_[j];
            /* One condition, because each of its parts is hard to predict. */
            if ((b.low[y] <= a.high[y]) & (a.low[y] <= b.high[y]) & (b.low[z] <= a.high[z]) &
                (a.low[z] <= b.high[z])) {
                if (pairs_.getNumOverlappingPairs() >= most)
                    return;
                pairs_.add(a.proxy, b.proxy);
            }
        }
        left -= j - i;
        compared += j - i;
    }
    changed_ = left < 0;
}

namespace
{

/* Removes the pairs whose bounds no longer overlap. */
struct parting final : public btOverlapCallback {
    bool processOverlap(btBroadphasePair &pair) override
    {
        const btBroadphaseProxy &a = *pair.m_pProxy0, &b = *pair.m_pProxy1;
        return !TestAabbAgainstAabb2(a.m_aabbMin, a.m_aabbMax, b.m_aabbMin, b.m_aabbMax);
    }
};

} // namespace

void sweep_broadphase::calculateOverlappingPairs(btDispatcher *dispatcher)
{
    refresh();
    if (proxies_changed_)
        pairs_.forget_notes(next_number_);
    proxies_changed_ = false;
    if (changed_)
        choose_axis();
    sort();
    parting parted;
    pairs_.processAllOverlappingPairs(&parted, dispatcher);
    sweep();
}

/* --------------------------------------------------------------------- tests */

void sweep_broadphase::aabbTest(const btVector3 &low, const btVector3 &high,
                                btBroadphaseAabbCallback &callback)
{
    for (int i = 0; i < entries_.size(); i++) {
        const btBroadphaseProxy *proxy = entries_[i].proxy;
        if (TestAabbAgainstAabb2(low, high, proxy->m_aabbMin, proxy->m_aabbMax))
            callback.process(proxy);
    }
}

/* Tests the bounds of a box swept along the ray. */
void sweep_broadphase::rayTest(const btVector3 &from, const btVector3 &to, btBroadphaseRayCallback &callback,
                               const btVector3 &low, const btVector3 &high)
{
    btVector3 least = from, most = from;
    least.setMin(to);
    most.setMax(to);
    aabbTest(least + low, most + high, callback);
}

void sweep_broadphase::getBroadphaseAabb(btVector3 &low, btVector3 &high) const
{
    low.setValue(-BT_LARGE_FLOAT, -BT_LARGE_FLOAT, -BT_LARGE_FLOAT);
    high.setValue(BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT);
}
