/*
 * A broadphase for tens to thousands of bodies: bounds are sorted along one axis and swept (D. Baraff,
 * "Dynamic simulation of non-penetrating rigid bodies", 1992).
 *
 * It replaces btDbvtBroadphase for three reasons. It is faster: updating trees for a dancer's bodies, which
 * all move in every step, takes a sixth of a step. Its pairs depend on the current bounds alone, not on the
 * past. And it allocates memory only while it grows, not when a world is rebuilt.
 */
#ifndef MMD_PHYSICS_BULLET_BROADPHASE_HPP
#define MMD_PHYSICS_BULLET_BROADPHASE_HPP

#include "bullet.hpp"

#include <cstdint>

/*
 * Bullet's pairs, with a note of those that need not be added: they are there already, or their filter has
 * refused them, which it always will. From one step to the next almost all are noted. Numbers of proxies
 * above a limit are not noted.
 */
class noting_pairs final : public btHashedOverlappingPairCache
{
  public:
    /* Forgets all notes, for proxies with numbers below `end`. */
    void forget_notes(int end);
    void add(btBroadphaseProxy *a, btBroadphaseProxy *b);
    void *removeOverlappingPair(btBroadphaseProxy *a, btBroadphaseProxy *b,
                                btDispatcher *dispatcher) override;

  private:
    uint8_t *note_of(const btBroadphaseProxy *a, const btBroadphaseProxy *b);

    btAlignedObjectArray<uint8_t> notes_; /* by the numbers of both proxies; not 0: need not be added */
    int end_ = 0;
};

class sweep_broadphase final : public btBroadphaseInterface
{
  public:
    ~sweep_broadphase() override;

    btBroadphaseProxy *createProxy(const btVector3 &low, const btVector3 &high, int shape, void *object,
                                   int group, int mask, btDispatcher *dispatcher) override;
    void destroyProxy(btBroadphaseProxy *proxy, btDispatcher *dispatcher) override;
    void setAabb(btBroadphaseProxy *proxy, const btVector3 &low, const btVector3 &high,
                 btDispatcher *dispatcher) override;
    void getAabb(btBroadphaseProxy *proxy, btVector3 &low, btVector3 &high) const override;
    void rayTest(const btVector3 &from, const btVector3 &to, btBroadphaseRayCallback &callback,
                 const btVector3 &low, const btVector3 &high) override;
    void aabbTest(const btVector3 &low, const btVector3 &high, btBroadphaseAabbCallback &callback) override;
    void calculateOverlappingPairs(btDispatcher *dispatcher) override;
    btOverlappingPairCache *getOverlappingPairCache() override { return &pairs_; }
    const btOverlappingPairCache *getOverlappingPairCache() const override { return &pairs_; }
    void getBroadphaseAabb(btVector3 &low, btVector3 &high) const override;
    /* Removes all proxies and pairs. */
    void clear(btDispatcher *dispatcher);
    /* Restarts the numbering of proxies if there are none. */
    void resetPool(btDispatcher *dispatcher) override;
    void printStats() override {}

  private:
    /* A proxy and its bounds, stored together in the order of the sweep. */
    struct entry {
        btScalar low[3], high[3];
        btBroadphaseProxy *proxy;
    };
    struct before;

    void choose_axis();
    void refresh();
    void sort();
    void sweep();

    noting_pairs pairs_;
    btAlignedObjectArray<entry> entries_;
    btAlignedObjectArray<btBroadphaseProxy *> free_; /* proxies that were created and are not in use */
    int next_number_ = 1;
    int axis_ = 0;
    bool changed_ =
        true; /* the axis must be chosen again: proxies came or went, or the sweep was inefficient */
    bool proxies_changed_ = true; /* proxies came or went */
};

#endif
